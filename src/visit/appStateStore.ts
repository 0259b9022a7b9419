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
import type { TextStorage, Tools, WriteFailure } from '../platform/platform';
import { type AppState, type AppStatePatch, decodeAppState, emptyAppState, encodeAppState, patched } from './appState';

/** Where the state is stored, and where its faults are reported. */
type StorageDeps = Pick<Tools, 'local' | 'json' | 'setting' | 'report'>;

/** The stored state of the visitor, for everything on this page that reads or writes it. */
export interface StoredAppState {
  /**
   * The state that is stored now. Parts that are broken are reported and left out. The text is parsed only where it is
   * another than the one that was read or written here last, because it may be long.
   */
  readonly read: () => AppState;
  /** Stores a state in the user's storage. Answers why that has failed. */
  readonly write: (state: AppState, local: Pick<TextStorage, 'write'>) => WriteFailure | undefined;
}

/** Reads and writes the state of the page's storage. */
export const storedAppState = ({ local, json, setting, report }: StorageDeps): StoredAppState => {
  const onFault = (cause: unknown): void => report('Permutive app raised an invalid state', cause);
  const decoded = (text: string | null): AppState => {
    if (text === null) return emptyAppState;
    const stored = json.parse(text);
    if (stored !== NoJson) return decodeAppState(stored, onFault);
    onFault(new Error(`${localKeys.appState}: expected JSON`));
    return emptyAppState;
  };
  let last = { text: null as string | null, state: emptyAppState };
  return {
    read: () => {
      const text = local.read(setting('stateNamespace'));
      if (text !== last.text) last = { text, state: decoded(text) };
      return last.state;
    },
    write: (state, { write }) => {
      const text = json.stringify(encodeAppState(state));
      last = { text, state };
      return write(setting('stateNamespace'), text);
    },
  };
};

/** The stored state, the user's storage, and the settings of writes. */
export interface AppStateDeps extends Pick<Tools, 'local' | 'setting' | 'report'> {
  readonly appState: StoredAppState;
}

/**
 * Writes changes of the state to local storage once they are quiet for `localStorageWriteDelay`, at the latest after
 * `localStorageWriteMaxDelay`, and at once when the page may be going away (spec C§9); `urgent$` is written as it
 * comes. Where the state's key is not among `localStorageDebouncedKeys`, the changes of a task are written at its end.
 */
export const appStateStore = (
  patch$: Observable<AppStatePatch>,
  urgent$: Observable<AppStatePatch>,
  flush$: Observable<unknown>,
  { appState, local, setting, report }: AppStateDeps,
): Observable<never> =>
  defer(() => {
    const save = (patches: readonly AppStatePatch[]): void => {
      const before = appState.read();
      const after = patched(before, patches);
      if (after === before) return;
      const failure = appState.write(after, local);
      if (failure !== undefined) report('Permutive app state could not be stored', new Error(failure));
    };
    return merge(
      urgent$.pipe(map((patch) => [patch])),
      patch$.pipe(connect((shared$) => shared$.pipe(buffer(merge(shared$.pipe(writeDelay(setting)), flush$))))),
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
