import { ignoreElements, merge, type Observable, tap } from 'rxjs';

import type { InspectedPage } from './inspectedPage';
import type { Log } from './log';
import { domSignal } from './signals';

/** DOM events that an inspector hears that opened late. */
const tappedSignals = [
  ['document', 'click'],
  ['document', 'scroll'],
  ['document', 'submit'],
  ['document', 'visibilitychange'],
  ['window', 'pagehide'],
  ['window', 'pageshow'],
  ['window', 'online'],
] as const;

/**
 * Notes what an inspector can hear that opened when the SDK was running already: calls of the page, signals, and
 * requests without their bodies. Effects and answers are noted from the start of the page only.
 */
export const lateTaps = ({ world, measured$ }: Omit<InspectedPage, 'visit$'>, log: Log): Observable<never> => {
  const { track$, identify$, reset$, consent$ } = world.calls;
  const noteCall = (type: string, data: unknown): void => void log.note({ lane: 'calls', type, data });
  return merge(
    track$.pipe(
      tap(({ draft }) => log.link(`called ${draft.name}`, log.note({ lane: 'calls', type: 'track', data: draft }))),
    ),
    identify$.pipe(
      tap(({ given }) => {
        for (const { id } of given) log.hide(id);
        noteCall('identify', given);
      }),
    ),
    reset$.pipe(tap(() => noteCall('reset', null))),
    consent$.pipe(tap((answer) => log.note({ lane: 'consent', type: 'consent', data: answer }))),
    measured$.pipe(
      tap((measured) => {
        if (measured.type === 'request') log.note({ lane: 'uploads', type: 'request', data: measured });
      }),
    ),
    ...tappedSignals.map(([target, type]) =>
      world
        .listen(target, type)
        .pipe(tap((event) => log.note({ lane: 'signals', type: `${target} ${type}`, data: domSignal(event) }))),
    ),
  ).pipe(ignoreElements());
};
