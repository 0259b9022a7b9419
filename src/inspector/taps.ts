import { EMPTY, filter, map, merge, mergeMap, noop, type Observable, switchMap, tap } from 'rxjs';

import type { VisitStreams } from '../api/observer';
import type { IdentifyCall } from '../model/identity';
import type { World } from '../visit/world';
import { causesOfEvent, causesOfTransition, linkTransition } from './causes';
import type { InspectedPage } from './inspectedPage';
import { type Log, notedIn } from './log';
import { domSignal } from './signals';

/** Notes the results of a visit. Every inspector has them, also one that opened late. */
export const visitTaps = (visit: VisitStreams, log: Log): Observable<never> => {
  const noted = notedIn(log);
  return merge(
    noted(
      visit.event$,
      (data) => ({ lane: 'events', type: data.name, data, causes: causesOfEvent(data, log) }),
      (event, id) => log.link(`event ${event.id}`, id),
    ),
    noted(visit.cohorts$, (data) => ({ lane: 'cohorts', type: 'cohorts', data })),
    noted(
      visit.transition$,
      (data) => ({
        lane: 'transitions',
        type: data.entry ? 'entry' : 'exit',
        data,
        causes: causesOfTransition(data, log),
      }),
      (transition, id) => linkTransition(transition, id, log),
    ),
    noted(visit.stage$, (type) => ({ lane: 'engine', type, data: null })),
    noted(visit.service$, (data) => ({ lane: 'cohorts', type: data.type, data })),
    noted(visit.delivery$, (data) => ({
      lane: 'uploads',
      type: 'delivered',
      data,
      causes: log.linked(`event ${data.id}`),
    })),
  );
};

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
  const { track$, reset$, consent$ } = world.calls;
  const noted = notedIn(log);
  return merge(
    noted(track$, ({ draft }) => ({ lane: 'calls', type: 'track', data: draft })),
    noted(identifyCalls(world).pipe(tap(({ given }) => given.forEach(({ id }) => log.hide(id)))), ({ given }) => ({
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

/**
 * Calls of `identify` as the deferred chunk reads them. Without consent, the chunk is not loaded and nothing of the
 * calls is read.
 */
const identifyCalls = ({ consent$, deferredParts$, calls }: World): Observable<IdentifyCall> => {
  // The visit answers and reports.
  const call$ = calls.identify$.pipe(map(({ given }) => ({ given, done: noop })));
  const read$ = deferredParts$.pipe(
    mergeMap(({ readIdentifyCalls, definition }) => readIdentifyCalls(call$, definition, noop)),
  );
  return consent$.pipe(switchMap((consent) => (consent === 'given' ? read$ : EMPTY)));
};
