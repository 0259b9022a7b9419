import {
  delayWhen,
  ignoreElements,
  map,
  merge,
  type Observable,
  ReplaySubject,
  share,
  Subject,
  switchMap,
  tap,
} from 'rxjs';

import type { Observer, VisitStreams } from './api/observer';
import type { ContextualAnswer } from './endpoints/contextualState';
import { ownFields } from './hardening/ownFields';
import type { Counting, EventDraft } from './model/event';
import type { ServiceOutput } from './model/serviceOutput';
import { mergeInTasks } from './operators/creators/mergeInTasks';
import { perform } from './operators/creators/perform';
import { scoped } from './operators/creators/scoped';
import { acceptEvents } from './visit/acceptEvents';
import { withoutConsent } from './visit/erasure';
import { evaluation } from './visit/evaluation';
import { runAddons } from './visit/runAddons';
import { runServices, serviceDrafts } from './visit/runServices';
import { saveState } from './visit/saveState';
import { stages } from './visit/stages';
import { visitorOf } from './visit/visitor';
import { visitPage } from './visit/visitPage';
import { observedStreams } from './visit/visitParts';
import { type VisitInput, visits } from './visit/visits';
import type { World } from './visit/world';

/**
 * The SDK as one stream. While there is consent, one visit after another runs; where the visitor refuses, stored data
 * is erased. The stream never emits. Unsubscribing stops everything: worker, requests, addons and listeners.
 */
export const runtime = (world: World, observers: readonly Observer[]): Observable<never> =>
  world.consent$.pipe(
    // switchMap: consent that is withdrawn ends everything that was started with it.
    switchMap((consent) => {
      const observed$ = merge(...observers.map(({ whileConsent }) => whileConsent(consent)));
      // Observers are told of consent before the visit starts. What they replay without consent is answered.
      return consent === 'given'
        ? merge(
            observed$,
            visits(world, (input) => visit(observers, input)),
          )
        : merge(withoutConsent(world, consent), observed$);
    }),
  );

/**
 * The flow of one visit. Sources and addons emit drafts; drafts become events; the engine derives memberships and
 * transitions from the events; transitions come back as drafts; sinks and addons read all of it.
 *
 * The parts of a visit start in tasks of their own, in the order in which a page needs them: states and sinks; the
 * engine, which reads the visitor's history in its worker while the page goes on; addons, which give the last page's
 * cohorts to ad servers; then everything else that listens. Once all of them listen (`begun$`), the page's queue is
 * replayed and drafts become events, so that no part misses one. A page that exits meanwhile starts the rest at once.
 */
const visit = (observers: readonly Observer[], input: VisitInput): Observable<never> =>
  scoped((stop$) => {
    const { owner, delivery, onReady } = input;
    const { world, userId } = owner;
    const draft$ = new Subject<EventDraft>();
    const service$ = new Subject<ServiceOutput>();
    const waiting$ = new Subject<Counting>();
    const contextual$ = new ReplaySubject<ContextualAnswer | undefined>(1);
    const begun$ = new ReplaySubject<void>(1);

    const visitor = visitorOf(owner, begun$, stop$);
    // Drafts become events.
    const call$ = merge(world.calls.track$, draft$.pipe(map(withoutCaller)));
    const page = visitPage({ call$, waiting$, contextual$ }, input, userId, world, stop$);
    // Events become cohorts and transitions.
    const isMeasured = observers.some((observer) => ownFields(observer).isMeasuring?.());
    const engine = evaluation({ visitor, page, delivery, service$, begun$, stop$, isMeasured }, input, world);
    const stage$ = stages(engine, world.deferredParts$, page.idle$).pipe(share());

    // Observers, delivery, the store, services and addons read the results.
    const { delivery$ } = delivery;
    const observed: VisitStreams = { ...observedStreams({ page, engine }), begun$, stage$, service$, delivery$ };
    const addonDraft$ = runAddons({ visitor, page, engine }, world, stop$);
    const parts$ = mergeInTasks<unknown>({ yieldThread: world.yieldThread, hurry$: page.pageExit$ }, [
      () =>
        merge(
          // States are subscribed first, so that observers of a stage read current identities and cohorts.
          visitor.identities$,
          page.viewed$,
          page.latest$,
          page.pageview$,
          engine.cohorts$,
          acceptEvents(page, engine.cohorts$, world.experiment, userId, input.accept),
          saveState(engine, input, world),
          engine.saved$.pipe(tap(input.counted)),
        ),
      // After what accepts events: one that the engine counts is uploaded too.
      () => engine.run$,
      // What addons and services want tracked comes back as drafts.
      () =>
        merge(addonDraft$, engine.transitionDraft$, serviceDrafts(service$)).pipe(
          delayWhen(() => begun$),
          // A page that requires consent by now ends this visit.
          tap(world.calls.recheck),
          tap((draft) => draft$.next(draft)),
        ),
      () =>
        merge(
          ...observers.map(({ whileVisit }) => whileVisit(observed)),
          stage$,
          runServices({ visitor, page, engine }, world, stop$).pipe(tap((output) => service$.next(output))),
          engine.initialised$.pipe(tap(onReady)),
        ),
      () => perform(() => begun$.next()),
    ]);
    return parts$.pipe(ignoreElements());
  });

/** The draft of a transition, an addon or a service: no caller waits for its event. */
const withoutCaller = (draft: EventDraft) => ({ draft, accepted: () => undefined });
