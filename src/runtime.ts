import {
  delayWhen,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  observeOn,
  queueScheduler,
  ReplaySubject,
  share,
  Subject,
  switchMap,
  tap,
} from 'rxjs';

import type { TrackCall } from './api/publicCalls';
import type { Event, EventDraft } from './model/event';
import { ownFields } from './model/ownFields';
import type { ServiceOutput } from './model/serviceOutput';
import { mergeInTasks } from './operators/creators/mergeInTasks';
import { perform } from './operators/creators/perform';
import { scoped } from './operators/creators/scoped';
import { acceptEvents } from './visit/acceptEvents';
import { withoutConsent } from './visit/erasure';
import { evaluation } from './visit/evaluation';
import { latestEvents } from './visit/latestEvents';
import { pageviews } from './visit/pageviews';
import { runAddons } from './visit/runAddons';
import { runServices, serviceDrafts } from './visit/runServices';
import { saveState } from './visit/saveState';
import { stages } from './visit/stages';
import { type VisitData, visitData } from './visit/visitData';
import { visitorOf } from './visit/visitor';
import { type VisitInput, visits } from './visit/visits';
import type { Observer, World } from './world';

/**
 * The SDK as one stream. While there is consent, one visit after another runs; where the visitor refuses, stored data
 * is erased. It never emits. Unsubscribing stops everything: worker, requests, addons and listeners.
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
 * Its parts start in tasks of their own, in the order in which a page needs them: states and sinks; addons, which give
 * the last page's cohorts to ad servers; then everything else that listens. Once all of them listen (`begun$`), the
 * page's queue is replayed and drafts become events, so that no part misses one. The engine loads last. A page that
 * exits meanwhile starts the rest at once.
 */
const visit = (observers: readonly Observer[], input: VisitInput): Observable<never> =>
  scoped((stop$) => {
    const { pageExit$, onReady } = input;
    const { world } = input.owner;
    const { delivery$ } = input.delivering;
    const begun$ = new ReplaySubject<void>(1);
    const visitor = visitorOf(input.owner, begun$, stop$);
    const data = visitData(input, visitor.userId, world, stop$);

    // Drafts become events, here and nowhere else.
    const draft$ = new Subject<EventDraft>();
    const service$ = new Subject<ServiceOutput>();
    const waiting$ = new Subject<{ readonly draft: EventDraft; readonly event: Event }>();
    const made$ = madeEvents(merge(world.calls.track$, draft$.pipe(map(withoutCaller))), data);
    // What follows a view does not wait for the data that its Pageview may wait for.
    const viewed$ = pageviews(made$.pipe(map(({ event }) => event)), stop$);
    const tracked$ = made$.pipe(
      data.enrich((waiting) => waiting$.next(waiting)),
      tap(({ event, accepted }) => accepted(event)),
      share(),
    );
    const event$ = tracked$.pipe(map(({ event }) => event));

    // Events become cohorts and transitions.
    const counted$ = tracked$.pipe(map(({ event, draft: { provisional } }) => ({ ...event, provisional })));
    const engine = evaluation(counted$, { ...input, ...data, visitor, service$, stop$ }, world);
    const { cohorts$ } = engine;
    const stage$ = stages(engine, world.deferredParts$, data.idle$).pipe(share());

    // Observers, delivery, the store and addons read the results. What addons want tracked comes back as drafts.
    const observed = { ...engine, context: data.context, begun$, stage$, pageExit$, event$, service$, delivery$ };
    const latest = latestEvents(tracked$, stop$);
    const streams = { ...visitor, ...engine, ...data, ...latest, event$, viewed$, pageExit$, stop$ };
    const addonDraft$ = runAddons(streams, world, stop$);
    const parts$ = mergeInTasks<unknown>({ ...world, hurry$: pageExit$ }, [
      () =>
        merge(
          // States are subscribed first, so that observers of a stage read current identities and cohorts.
          visitor.identities$,
          viewed$,
          ...Object.values<Observable<unknown>>(latest),
          cohorts$,
          acceptEvents(tracked$, waiting$, cohorts$, visitor.userId, input.accept),
          saveState(engine, input, world),
        ),
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
          engine.run$,
          runServices(streams, world).pipe(tap((output) => service$.next(output))),
          engine.initialised$.pipe(tap(onReady)),
        ),
      () => perform(() => begun$.next()),
      () => engine.start$,
    ]);
    // A visit that ends before it is initialised must not leave the promise of `reset` open.
    return parts$.pipe(ignoreElements(), finalize(onReady));
  });

/** Makes each draft an event, in their order. */
const madeEvents = (call$: Observable<TrackCall>, { make }: Pick<VisitData, 'make'>) =>
  call$.pipe(
    observeOn(queueScheduler), // every reader sees a cause before its effects
    map(({ draft: given, accepted }) => {
      const draft = ownFields(given);
      return { draft, event: make(draft), accepted };
    }),
    share(),
  );

/** The draft of a transition or an addon: no caller waits for its event. */
const withoutCaller = (draft: EventDraft) => ({ draft, accepted: () => undefined });
