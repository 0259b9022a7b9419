import { filter, merge, type Observable, tap } from 'rxjs';

import type { InspectedPage } from './inspectedPage';
import { type Log, notedIn } from './log';
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
  const noted = notedIn(log);
  return merge(
    noted(track$, ({ draft }) => ({ lane: 'calls', type: 'track', data: draft })),
    noted(identify$.pipe(tap(({ given }) => given.forEach(({ id }) => log.hide(id)))), ({ given }) => ({
      lane: 'calls',
      type: 'identify',
      data: given,
    })),
    noted(reset$, () => ({ lane: 'calls', type: 'reset', data: null })),
    noted(consent$, (data) => ({ lane: 'consent', type: 'consent', data })),
    noted(measured$.pipe(filter(({ type }) => type === 'request')), (data) => ({
      lane: 'uploads',
      type: 'request',
      data,
    })),
    ...tappedSignals.map(([target, type]) =>
      noted(world.listen(target, type), (event) => ({
        lane: 'signals',
        type: `${target} ${type}`,
        data: domSignal(event),
      })),
    ),
  );
};
