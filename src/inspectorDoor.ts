import { filter, from, ignoreElements, mergeMap, type Observable, of, ReplaySubject } from 'rxjs';

import type { Tag } from './api/tag';
import type { Inspector } from './inspector/inspector';
import { perform } from './operators/creators/perform';
import type { InspectedPage, Observer, VisitStreams, World } from './world';

export interface InspectorDoorDeps extends Omit<InspectedPage, 'visit$'> {
  readonly tag: Tag;
  /** Loads the inspector's chunk. */
  readonly loadInspector: () => Promise<Pick<typeof import('./inspector/inspector'), 'inspector'>>;
}

/**
 * The way to the inspector, whose code is in a chunk that only those load who ask for it: by one of its methods, which
 * are put on the tag, by Alt, Shift and P, or by the setting `inspector`. No method throws or rejects; each resolves
 * with undefined where the inspector fails or does not load, which is reported.
 *
 * As an observer it keeps the visit for an inspector that opens late. `world$` emits the world to run on: with the
 * setting, one that the inspector watches from the start; undefined where the inspector has failed.
 */
export const inspectorDoor = (
  deps: InspectorDoorDeps,
): Observer & { readonly world$: Observable<World | undefined> } => {
  const { tag, world, loadInspector } = deps;
  const visit$ = new ReplaySubject<VisitStreams>(1);
  const call =
    <Name extends keyof Inspector>(name: Name) =>
    async (): Promise<Awaited<ReturnType<Inspector[Name]>> | undefined> => {
      try {
        const { inspector } = await loadInspector();
        return await (inspector({ ...deps, visit$ })[name]() as ReturnType<Inspector[Name]>);
      } catch (cause) {
        world.report('Inspector failed', cause);
        return undefined;
      }
    };
  for (const name of ['inspect', 'record', 'recording', 'doctor'] as const) tag[name] = call(name);
  return {
    world$: world.setting('inspector') ? from(call('watch')()) : of(world),
    whileConsent: () =>
      (world.listen('window', 'keydown') as Observable<KeyboardEvent>).pipe(
        // The key itself is another letter with Alt on some keyboards.
        filter((event) => event.altKey && event.shiftKey && event.code === 'KeyP'),
        mergeMap(call('inspect')),
        ignoreElements(),
      ),
    whileVisit: (visit) => perform(() => visit$.next(visit)),
  };
};
