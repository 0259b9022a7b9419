import {
  auditTime,
  buffer,
  connect,
  defer,
  filter,
  ignoreElements,
  map,
  merge,
  type MonoTypeOperatorFunction,
  type Observable,
  tap,
} from 'rxjs';

import { NoJson } from '../hardening/json';
import type { Settings } from '../model/config';
import { localKeys } from '../model/storageKeys';
import { debounceWithMax } from '../operators/debounceWithMax';
import type { Tools } from '../platform/platform';
import { type AppState, type AppStatePatch, decodeAppState, emptyAppState, patched, type QueueEntry } from './appState';
import { appStateText, queueEntryOf } from './appStateText';

/** Where the state is stored, and the settings of its writes. */
export type AppStateDeps = Pick<Tools, 'local' | 'json' | 'setting' | 'report'>;

/** Reads the stored state. Parts that are broken are reported and left out. */
export const readAppState = ({ local, json, setting, report }: AppStateDeps): AppState => {
  const text = local.read(setting('stateNamespace'));
  if (text === null) return emptyAppState;
  const stored = json.parse(text);
  const onFault = (cause: unknown): void => report('Permutive app raised an invalid state', cause);
  if (stored !== NoJson) return decodeAppState(stored, onFault);
  onFault(new Error(`${localKeys.appState}: expected JSON`));
  return emptyAppState;
};

/**
 * Writes changes of the state to local storage once they are quiet for `localStorageWriteDelay`, at the latest after
 * `localStorageWriteMaxDelay`, and at once when the page may be going away (spec C§9); `urgent$` is written as it
 * comes. Where the state's key is not among `localStorageDebouncedKeys`, the changes of a task are written at its end.
 */
export const appStateStore = (
  patch$: Observable<AppStatePatch>,
  urgent$: Observable<AppStatePatch>,
  flush$: Observable<unknown>,
  deps: AppStateDeps,
): Observable<never> =>
  defer(() => {
    // One writer for both kinds of patches, because it remembers what it wrote last.
    const save = patchWriter(deps);
    return merge(
      urgent$.pipe(map((patch) => [patch])),
      patch$.pipe(connect((shared$) => shared$.pipe(buffer(merge(shared$.pipe(writeDelay(deps.setting)), flush$))))),
    ).pipe(
      filter((patches) => patches.length > 0),
      tap(save),
      ignoreElements(),
    );
  });

/** Whether writes of the state are debounced: its key is among `localStorageDebouncedKeys`. */
const isDebounced = (setting: Settings): boolean =>
  setting('localStorageDebouncedKeys').includes(setting('stateNamespace'));

/** Emits when the changes since the last write are to be written. */
const writeDelay = (setting: Settings): MonoTypeOperatorFunction<AppStatePatch> =>
  isDebounced(setting)
    ? debounceWithMax(setting('localStorageWriteDelay'), setting('localStorageWriteMaxDelay'))
    : // A burst of events is one write all the same.
      auditTime(0);

/**
 * Applies patches to what is stored and writes the result. The stored text is parsed only where another tab has written
 * it.
 */
const patchWriter = (deps: AppStateDeps): ((patches: readonly AppStatePatch[]) => void) => {
  const { local, json, setting, report } = deps;
  let last: { readonly text: string; readonly state: AppState<QueueEntry> } | undefined;
  return (patches) => {
    const key = setting('stateNamespace');
    const before = last !== undefined && local.read(key) === last.text ? last.state : readAppState(deps);
    const after = patched(before, patches);
    const state = { ...after, queue: after.queue.map((stored) => queueEntryOf(stored, json)) };
    last = { text: appStateText(state, json), state };
    const failure = local.write(key, last.text);
    if (failure !== undefined) report('Permutive app state could not be stored', new Error(failure));
  };
};
