import { filter, ignoreElements, map, mergeMap, type Observable, of, race, ReplaySubject, timer } from 'rxjs';

import type { Observer, VisitStreams } from './api/observer';
import type { Tag } from './api/tag';
import type { InspectedPage } from './inspector/inspectedPage';
import type { Inspector } from './inspector/inspector';
import { perform } from './operators/creators/perform';
import type { World } from './visit/world';

export interface InspectorDoorDeps extends Omit<InspectedPage, 'visit$' | 'isRunning'> {
  readonly tag: Tag;
  /** Whether there is consent at the start. */
  readonly isGiven: boolean;
  /** Loads the inspector's chunk. */
  readonly loadInspector: () => Promise<Pick<typeof import('./inspector/inspector'), 'inspector'>>;
}

/** The inspector's methods, which are put on the tag. */
export const inspectorMethods = ['inspect', 'record', 'recording', 'doctor'] as const;

/** Whether a key opens the inspector. The key itself is another letter with Alt on some keyboards. */
export const isInspectorKey = ({ altKey, shiftKey, code }: KeyboardEvent): boolean =>
  altKey && shiftKey && code === 'KeyP';

/** What a method answers at last. */
type InspectorResult<Name extends keyof Inspector> = Awaited<ReturnType<Inspector[Name]>>;

/** The visit does not wait longer for the inspector. */
const maxWaitMs = 3000;

/**
 * The way to the inspector, whose code is in a chunk that only those load who ask for it: by one of its methods, which
 * are put on the tag, by Alt, Shift and P, or by the setting `inspector`. No method throws or rejects; each resolves
 * with undefined where the inspector fails or does not load, which is reported.
 *
 * As an observer it keeps the visit for an inspector that opens late. `world$` emits the world to run on: with the
 * setting, one that the inspector watches from the start, or without consent a plain one, with the inspector opened at
 * the first visit; undefined where the inspector has failed, or has not loaded
 * within `maxWaitMs`. One that loads later opens late.
 */
export const inspectorDoor = (
  deps: InspectorDoorDeps,
): Observer & { readonly world$: Observable<World | undefined> } => {
  const { tag, world, loadInspector, isGiven } = deps;
  const isWanted = world.setting('inspector');
  const visit$ = new ReplaySubject<VisitStreams>(1);
  let isRunning = !(isWanted && isGiven);
  const call =
    <Name extends keyof Inspector>(name: Name) =>
    (): Promise<InspectorResult<Name> | undefined> =>
      loadInspector()
        // A promise that a method answers is awaited here.
        .then(
          ({ inspector }) =>
            inspector({ ...deps, visit$, isRunning: () => isRunning })[name]() as InspectorResult<Name>,
        )
        .catch((cause: unknown) => {
          world.report('Inspector failed', cause);
          return undefined;
        });
  for (const name of inspectorMethods) tag[name] = call(name);
  return {
    world$: isRunning ? of(world) : race(call('watch')(), timer(maxWaitMs).pipe(map(() => void (isRunning = true)))),
    whileConsent: () =>
      (world.listen('window', 'keydown') as Observable<KeyboardEvent>).pipe(
        filter(isInspectorKey),
        mergeMap(call('inspect')),
        ignoreElements(),
      ),
    whileVisit: (visit) =>
      perform(() => {
        visit$.next(visit);
        // The inspector was not loaded at the start, because there was no consent.
        if (isWanted && !isGiven) void call('inspect')();
      }),
  };
};
