import { concat, defer, EMPTY, filter, finalize, from, ignoreElements, map, merge, mergeAll, mergeMap, type Observable, observeOn, of, queueScheduler, share, startWith, Subject, switchMap, take, takeUntil, tap, timer, withLatestFrom } from 'rxjs';
import { addonDeps } from './addonDeps';
import type { AnyAddon } from './addons/addon';
import { addonStreams } from './addonStreams';
import { call } from './endpoints/call';
import { reset } from './endpoints/reset';
import type { LateParts, Later } from './late';
import type { AppStatePatch } from './model/appState';
import type { Settings } from './model/config';
import type { Event, EventDraft } from './model/event';
import type { Json } from './model/json';
import type { PageLeave } from './model/pageLeave';
import type { PageProject } from './model/project';
import type { ToHost } from './model/protocol';
import type { Report } from './model/report';
import type { PageContext, Signal } from './model/signal';
import { isTransition, queuedEvent, transitionDraft } from './model/tracked';
import { isolate } from './operators/isolate';
import { remember } from './operators/remember';
import { transitionBatches } from './operators/transitionBatches';
import { unsaved } from './operators/unsaved';
import type { Platform } from './platform/platform';
import { answerEngine, type AnswerEngineDeps } from './sinks/answerEngine';
import { appStateStore, readAppState } from './sinks/appStateStore';
import { type Accepted, deliver, type Delivering } from './sinks/deliver';
import { feedEngine, startMessage } from './sinks/feedEngine';
import { segmentKeys } from './sinks/segmentKeys';
import { startAddons, startLateAddons } from './startAddons';
import { engineOfUser } from './streams/engineOfUser';
import { enrichment } from './streams/enrichment';
import { eventMaker } from './streams/eventMaker';
import { fromConsent } from './streams/fromConsent';
import { fromEngine } from './streams/fromEngine';
import { fromPageLeave } from './streams/fromPageLeave';
import { contextOf } from './streams/placeholders';
import type { PublicCalls } from './streams/publicCalls';
import { eraseVisitor } from './streams/userId';
import { visitMoments } from './streams/visitMoments';
import { visitorOf } from './visitor';

/** Everything the SDK runs on: the world, the project, and what the page asks for. */
export interface World {
  readonly platform: Platform;
  readonly project: PageProject;
  readonly addons: readonly AnyAddon[];
  /** What comes in a chunk of its own. Cold, and empty where it does not come. */
  readonly late$: Observable<LateParts>;
  readonly setting: Settings;
  readonly json: Json;
  readonly calls: PublicCalls;
  readonly report: Report;
}

/** Events of this page that the engine of another user is given, at most. */
const mostHappened = 200;

/** How long `initialised` waits for the addons that come later. */
const lateWaitMs = 1000;

/** Transitions are published once quiet for this long (spec S§9). */
const publishQuietMs = 500;

/** The SDK as one stream: what happens to the visitor, for as long as there is consent. Unsubscribing stops everything. */
export const runtime = (world: World): Observable<Signal> =>
  fromConsent(world.calls.consent$, { ...world, ...world.platform }).pipe(
    // switchMap: consent that goes takes everything with it that it had let start.
    switchMap((given) => concat(of<Signal>({ type: 'consent', given }), given ? visits(world) : withoutConsent(world))),
  );

const withoutConsent = (world: World): Observable<never> =>
  merge(
    forget(world),
    world.platform.journal.erase(),
    world.calls.track$.pipe(tap(({ accepted }) => accepted(null))),
    world.calls.reset$.pipe(tap((done) => done())),
    world.calls.identify$.pipe(tap(({ done }) => done(null))),
    world.calls.explain$.pipe(tap(({ tell }) => tell(null))),
  ).pipe(ignoreElements());

const forget = ({ platform, setting, project }: World): Observable<never> =>
  defer(() => {
    eraseVisitor({ ...platform, setting, project });
    return platform.eraseStore();
  });

const tellReset = (world: World): Observable<never> =>
  call(reset, {}, { ...world, ...world.platform }).pipe(isolate('Error resetting internals', world.report), ignoreElements());

/**
 * One visit after another: a reset begins a new visitor's, a page that comes back from the back-forward cache a new view's.
 * What was accepted in one is delivered whatever comes after it.
 */
const visits = (world: World): Observable<Signal> =>
  defer(() => {
    const { platform, calls } = world;
    const return$ = platform.listen('window', 'pageshow').pipe(filter((event) => (event as PageTransitionEvent).persisted), share());
    const leave$ = fromPageLeave(platform.listen, platform.page);
    const accepted$ = new Subject<Accepted>();
    const delivering = deliver(accepted$, leave$.pipe(filter(({ step }) => step === 'flush')), {
      ...world,
      ...platform,
      return$,
      online$: platform.listen('window', 'online'),
    });
    const options = {
      delivering,
      accept: (accepted: Accepted) => accepted$.next(accepted),
      leave$: merge(leave$.pipe(filter(({ step }) => step === 'last words')), delivering.flushed$).pipe(share()),
    };
    const visit$ = merge(
      calls.reset$.pipe(map((done) => ({ erase: true, done }))),
      return$.pipe(map(() => ({ erase: false, done: ignore }))),
    ).pipe(
      startWith({ erase: false, done: ignore }),
      switchMap(({ erase, done }, i) => merge(erase ? merge(tellReset(world), forget(world)) : EMPTY, visit(world, { ...options, isFirst: i === 0, begun: done }))),
    );
    return merge(delivering.delivery$.pipe(map((delivery): Signal => ({ type: 'delivery', ...delivery }))), visit$);
  });

interface VisitOptions {
  readonly isFirst: boolean;
  readonly delivering: Delivering;
  readonly accept: (accepted: Accepted) => void;
  readonly leave$: Observable<PageLeave>;
  readonly begun: () => void;
}

/**
 * The flow of one visit. Sources and addons give drafts; drafts become events; the engine makes memberships and
 * transitions of them; transitions come back as drafts; sinks and addons read it all.
 */
const visit = (world: World, { isFirst, delivering, accept, leave$, begun }: VisitOptions): Observable<Signal> =>
  defer(() => {
    const { platform, setting, calls } = world;
    const deps = { ...world, ...platform };
    const stop$ = new Subject<void>();
    const later: Later = (use) => world.late$.pipe(mergeMap(use));

    const visitor = visitorOf(world, later, stop$);
    const moments = visitMoments(deps, isFirst ? setting('viewId') : undefined);
    const { make, client } = eventMaker(moments, deps);
    const stored = readAppState(deps);
    const flush$ = leave$.pipe(filter(({ step }) => step === 'flush'));
    const { enrich, idle$, known, lookup } = enrichment({
      ...deps,
      leave$,
      stop$,
      askGeoip: (include) => later(({ pageData }) => pageData.geoip(include, deps)),
      askWatson: (url) => later(({ pageData }) => pageData.watson(url, deps)),
    });
    const context = (): PageContext => {
      const { session, view } = moments.current();
      return { user_id: visitor.userId(), session_id: session.id, view_id: view.id, client: client(), ...contextOf(known()) };
    };

    // For the engine of another user: what happened here is theirs too.
    const happened: Event[] = [];
    const start = (unsaved: readonly Event[] = happened): ToHost => startMessage(deps, context(), moments.touch(), { ...stored, unsaved });
    const engine = fromEngine(engineOfUser(platform.openEngine, visitor.adopted$.pipe(map(() => start()))), () => (visitor.isAdopted() ? [] : stored.cohorts), world.report);
    const cohorts$ = engine.cohorts$.pipe(remember(stop$));
    const transition$ = engine.transitions$.pipe(transitionBatches(publishQuietMs, leave$), mergeAll(), share());
    const transitionsSinceInit$ = transition$.pipe(remember(stop$, Infinity));

    const draft$ = new Subject<EventDraft>();
    const tracked$ = merge(calls.track$, draft$.pipe(map((draft) => ({ draft, accepted: ignore })))).pipe(
      observeOn(queueScheduler), // a cause is seen before its effects
      map(({ draft, accepted }) => ({ draft, event: make(draft), accepted })),
      enrich(),
      tap(({ event, accepted }) => accepted(event)),
      share(),
    );
    const event$ = tracked$.pipe(map(({ event }) => event));
    const evaluated$ = event$.pipe(
      filter(({ name }) => !isTransition(name)),
      tap((event) => {
        if (happened.push(event) > mostHappened) happened.shift();
      }),
      share(),
    );
    const accepted$ = tracked$.pipe(
      filter(({ draft }) => draft.edgeOnly !== true),
      withLatestFrom(cohorts$),
      map(([tracked, { members }]): Accepted => ({ event: queuedEvent(tracked, visitor.userId(), members), beacon: tracked.draft.beacon === true })),
      tap(accept),
    );
    const pageview$ = event$.pipe(filter(({ name }) => name === 'Pageview'), remember(stop$));
    const upload: AppStatePatch = { upload: delivering.state };

    const signal$ = merge<Signal[]>(
      of<Signal>({ type: 'visit', context }),
      event$.pipe(map((event) => ({ type: 'event', event }))),
      cohorts$.pipe(map((cohorts) => ({ type: 'cohorts', cohorts }))),
      transition$.pipe(map((transition) => ({ type: 'transition', transition }))),
      engine.metrics$.pipe(map((metrics) => ({ type: 'metrics', metrics }))),
    );
    // A page that is told we are ready finds its addons; a chunk that does not come keeps nobody waiting.
    const lateHere$ = world.late$.pipe(ignoreElements(), takeUntil(timer(lateWaitMs)));
    const stage$ = engine.initialised$.pipe(
      take(1),
      // The page's queue is replayed while `initialised` is heard, so that the mark follows what the page had asked for; a page view
      // that waits for its data goes before it too.
      mergeMap(() => concat(lateHere$, of(initialised), idle$, run(() => engine.send(realtimeMark)), engine.marked$.pipe(take(1), map(() => realtime)))),
    );
    const patch$ = merge<AppStatePatch[]>(
      delivering.change$.pipe(map(() => upload)),
      cohorts$.pipe(map(({ members }) => ({ cohorts: members }))),
    );
    const gone$ = flush$.pipe(filter(({ gone }) => gone));
    const urgent$ = unsaved(concat(from(stored.unsaved), evaluated$), engine.saved$, gone$).pipe(
      map((left): AppStatePatch => ({ left })),
      // This visit has them now: another tab must not count them too. A reset has erased what is still to be delivered.
      startWith({ ...upload, taken: stored.unsaved.map(({ id }) => id) }),
    );
    const callServer: AnswerEngineDeps['callServer'] = (what, input) => later(({ serverCalls }) => serverCalls[what](input, deps));
    /** What the project's queries read of the page and its visitor. */
    const lookedUp = (): Observable<ToHost> => merge(...(world.project.lookups ?? []).map((name) => lookup(name, client().url))).pipe(map((patch) => ({ type: 'data', patch })));
    const sinks = [
      // Listened to from the start: an addon may start late.
      transitionsSinceInit$,
      pageview$,
      accepted$,
      appStateStore(patch$, urgent$, flush$, deps),
      segmentKeys(cohorts$, deps),
      run(() => engine.send(start(stored.unsaved))),
      feedEngine(evaluated$, moments.current).pipe(tap(engine.send)),
      flush$.pipe(tap(() => engine.send({ type: 'flush' }))),
      // switchMap: what the engine of another user has asked is not for this one.
      visitor.adopted$.pipe(
        startWith(visitor.userId()),
        switchMap(() => merge(answerEngine(engine.question$, { ...deps, callServer }), lookedUp())),
        tap(engine.send),
      ),
      engine.reports$,
      calls.explain$.pipe(mergeMap(({ id, tell }) => engine.explain(id).pipe(tap(tell)))),
    ];
    const { identities$, tcf$ } = visitor;
    const streams = addonStreams({ event$, transition$, transitionsSinceInit$, cohorts$, leave$, identities$, tcf$, pageview$, viewId: () => moments.current().view.id }, world, later, stop$);
    const common = addonDeps(world, context);
    const drafts = [transition$.pipe(map(transitionDraft)), ...startAddons(world, streams, common), startLateAddons(world, streams, common)];

    // Signals and sinks before addons: they miss nothing of what an addon says as it starts. Identities first of all: the page
    // identifies as soon as it hears of the visit.
    return merge(
      identities$.pipe(ignoreElements()),
      signal$,
      stage$,
      merge(...sinks).pipe(ignoreElements()),
      merge(...drafts).pipe(tap((draft) => draft$.next(draft)), ignoreElements()),
      engine.initialised$.pipe(take(1), tap(begun), ignoreElements()),
    ).pipe(
      finalize(() => {
        stop$.next();
        begun();
      }),
    );
  });

const initialised: Signal = { type: 'stage', stage: 'initialised' };
const realtime: Signal = { type: 'stage', stage: 'realtime' };
const realtimeMark: ToHost = { type: 'mark', mark: 'realtime' };
const ignore = (): void => undefined;

/** Does something in its turn of a `concat` or `merge`, and says nothing. */
const run = (action: () => void): Observable<never> =>
  defer(() => {
    action();
    return EMPTY;
  });
