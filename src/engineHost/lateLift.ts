import {
  connect,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  identity,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  startWith,
  tap,
} from 'rxjs';

import type { Report as EngineReport } from '../engine/engine';
import { isolate } from '../operators/isolate';
import type { CachedEvent } from './cachedEvent';
import type { Effect } from './effects';
import { evaluatedEvents, type LoadedEngine } from './servedEngine';

/**
 * Loads and runs cloud lift once there is something to lift: an event that the server is to count, on this page or an
 * earlier one, or a stored query whose definition has to be downloaded. Most visits have neither.
 *
 * What is heard before cloud lift runs is stored with the state as waiting, so that a later page lifts it where this
 * one does not come to it. A part that does not load is reported, and asked for again at the next event.
 */
export const lateLift = (effect$: Observable<Effect>, served: LoadedEngine): Observable<EngineReport> => {
  const { loaded, runner, deps } = served;
  const names = deps.bundle.lift?.events;
  if (names === undefined) return EMPTY;
  const isLifted = ({ name }: CachedEvent): boolean => names.includes(name);
  const isBehind =
    loaded.engine.unknownIds().length > 0 || loaded.chunk.unlifted.length > 0 || loaded.missed.some(isLifted);
  return evaluatedEvents(effect$).pipe(
    filter(isLifted),
    connect((lifted$) => {
      // The events that cloud lift has not been given yet; undefined once it runs.
      let heard: readonly CachedEvent[] | undefined = [];
      const keep = (event: CachedEvent): void => {
        if (heard === undefined) return;
        heard = [...heard, event];
        const ids = heard.map(({ id }) => id);
        runner.note({ unlifted: (stored) => [...new Set([...stored, ...ids])] });
      };
      const event$ = defer(() => {
        const early = heard ?? [];
        heard = undefined;
        return lifted$.pipe(startWith(...early));
      });
      return merge(
        lifted$.pipe(tap(keep), ignoreElements()),
        lifted$.pipe(
          isBehind ? startWith(null) : identity,
          // exhaustMap: what runs is not begun again.
          exhaustMap(() =>
            defer(deps.load.lift).pipe(
              isolate('Failed to load cloud lift', deps.report),
              mergeMap(({ runCloudLift }) => runCloudLift(event$, served)),
            ),
          ),
        ),
      );
    }),
  );
};
