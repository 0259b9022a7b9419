import {
  concat,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  mergeAll,
  mergeMap,
  type Observable,
  share,
  startWith,
  switchMap,
  take,
  tap,
} from 'rxjs';

import { isTransition } from '../model/cohort';
import type { Cohorts } from '../model/cohorts';
import type { EngineCommand, Transition } from '../model/engineCommands';
import type { Event, EventDraft } from '../model/event';
import type { Metric } from '../model/metric';
import type { PageContext } from '../model/pageContext';
import { perform } from '../operators/creators/perform';
import { debounceTransitions } from '../operators/debounceTransitions';
import { shareState } from '../operators/shareState';
import { unsavedAt } from '../operators/unsavedAt';
import type { Enrichment } from '../streams/pageData/enrichment';
import type { SessionAndView } from '../streams/visitor/sessionAndView';
import type { World } from '../world';
import { answerEngine, type AnswerEngineDeps } from './answerEngine';
import { engineOfUser } from './engineOfUser';
import { feedEngine, startMessage } from './feedEngine';
import { fromEngine } from './fromEngine';
import { transitionDraft } from './transitionEvents';
import type { Visitor } from './visitor';
import type { VisitInput } from './visits';

/** Transitions are published once quiet for this long (spec S§9). */
const publishQuietMs = 500;
/** Events of this page that the engine of another user is given, at most. */
const maxRecentEvents = 200;

/** What the engine of a visit needs. */
export interface EvaluationInput extends Pick<VisitInput, 'stored' | 'pageExit$'> {
  readonly visitor: Visitor;
  readonly moments: SessionAndView;
  readonly context: () => PageContext;
  readonly lookup: Enrichment['lookup'];
  readonly stop$: Observable<unknown>;
}

/** The engine's results for a visit. */
export interface Evaluation {
  /** Emits once the stored state is loaded and past events are replayed. */
  readonly initialised$: Observable<unknown>;
  /** Emits once the engine has evaluated everything that it was given before the subscription. */
  readonly barrier$: Observable<unknown>;
  /** State: who the visitor is to advertisers; the last page's cohorts until this page's are known. */
  readonly cohorts$: Observable<Cohorts>;
  /** Memberships gained and lost, as they are published. */
  readonly transition$: Observable<Transition>;
  /** The same; a late subscriber first gets those since the visit began. */
  readonly transitionsSinceInit$: Observable<Transition>;
  /** The same as drafts of SegmentEntry and SegmentExit. */
  readonly transitionDraft$: Observable<EventDraft>;
  readonly metrics$: Observable<readonly Metric[]>;
  /** Emits as the page unloads: the events that are not in the engine's stored state yet. */
  readonly unsaved$: Observable<readonly Event[]>;
  /** Sends events, answers and data to the engine. Subscribed once, by the visit. */
  readonly run$: Observable<never>;
}

/**
 * Runs the visit's events through the engine, in a worker or on the page. When another user takes over the visit, a new
 * engine begins.
 */
export const evaluation = (event$: Observable<Event>, input: EvaluationInput, world: World): Evaluation => {
  const { visitor, moments, stored, context, pageExit$, stop$ } = input;
  // When the server knows the visitor by another id, a new engine starts. It is given these events of this page.
  const recentEvents: Event[] = [];
  const start = (unsaved: readonly Event[]): EngineCommand =>
    startMessage(world, context(), moments.touch(), { ...stored, unsaved });
  const restart$ = visitor.adopted$.pipe(map(() => start(recentEvents)));
  const knownCohorts = (): readonly string[] => (visitor.isAdopted() ? [] : stored.cohorts);
  const engine = fromEngine(engineOfUser(world.openEngine, restart$), knownCohorts, world.report);

  const evaluated$ = event$.pipe(
    filter(({ name }) => !isTransition(name)),
    tap((event) => {
      if (recentEvents.push(event) > maxRecentEvents) recentEvents.shift();
    }),
    share(),
  );
  const transition$ = engine.transitions$.pipe(debounceTransitions(publishQuietMs, pageExit$), mergeAll(), share());
  const transitionsSinceInit$ = transition$.pipe(shareState(stop$, Infinity));
  const flush$ = pageExit$.pipe(filter(({ step }) => step === 'flush'));

  return {
    initialised$: engine.initialised$.pipe(take(1)),
    barrier$: merge(
      engine.barrierReached$,
      perform(() => engine.send({ type: 'barrier', name: 'realtime' })),
    ).pipe(take(1)),
    cohorts$: engine.cohorts$.pipe(shareState(stop$)),
    transition$,
    transitionsSinceInit$,
    transitionDraft$: transition$.pipe(map(transitionDraft)),
    metrics$: engine.metrics$,
    unsaved$: unsavedAt(
      concat(from(stored.unsaved), evaluated$),
      engine.saved$,
      flush$.pipe(filter(({ isUnloading }) => isUnloading)),
    ),
    run$: merge(
      // Subscribed from the start, because addons that start late must get all of them.
      transitionsSinceInit$,
      perform(() => engine.send(start(stored.unsaved))),
      feedEngine(evaluated$, moments.current).pipe(tap(engine.send)),
      flush$.pipe(tap(() => engine.send({ type: 'flush' }))),
      answers(engine, input, world),
      engine.reports$,
      world.calls.explain$.pipe(mergeMap(({ id, tell }) => engine.explain(id).pipe(tap(tell)))),
    ).pipe(ignoreElements()),
  };
};

/** Answers the engine's questions, and provides the data that the project's queries look up. */
const answers = (
  engine: ReturnType<typeof fromEngine>,
  { visitor, context, lookup }: EvaluationInput,
  world: World,
): Observable<unknown> => {
  const callServer: AnswerEngineDeps['callServer'] = (what, input) =>
    world.deferredParts$.pipe(mergeMap(({ serverCalls }) => serverCalls[what](input, world)));
  const lookedUp = (): Observable<EngineCommand> =>
    merge(...(world.project.lookups ?? []).map((name) => lookup(name, context().client.url))).pipe(
      map((patch) => ({ type: 'data', patch })),
    );
  return visitor.adopted$.pipe(
    startWith(visitor.userId()),
    // switchMap: answers to the previous user's engine must not reach this one.
    switchMap(() => merge(answerEngine(engine.question$, { ...world, callServer }), lookedUp())),
    tap(engine.send),
  );
};
