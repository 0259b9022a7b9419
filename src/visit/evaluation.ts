import {
  defaultIfEmpty,
  delayWhen,
  filter,
  ignoreElements,
  map,
  merge,
  mergeAll,
  mergeMap,
  type Observable,
  type OperatorFunction,
  share,
  startWith,
  switchMap,
  take,
  takeUntil,
  tap,
} from 'rxjs';

import { debounceTransitions, publishQuietMs } from '../cohorts/debounceTransitions';
import { ownFields } from '../hardening/ownFields';
import { isTransition } from '../model/cohort';
import type { EngineCommand } from '../model/engineCommands';
import type { Counting, NumberedEvent } from '../model/event';
import type { ServiceOutput } from '../model/serviceOutput';
import { perform } from '../operators/creators/perform';
import { shareState } from '../operators/shareState';
import type { Delivering } from '../sinks/delivery/deliver';
import { answerEngine, type AnswerEngineDeps } from './answerEngine';
import { engineOfUser } from './engineOfUser';
import type { Explainers, Told } from './explained';
import { feedEngine, startMessage } from './feedEngine';
import { fromEngine } from './fromEngine';
import { holdCohorts } from './holdCohorts';
import { newestEvents } from './newestEvents';
import { transitionDraft } from './transitionEvents';
import type { Evaluation, Visitor, VisitPage } from './visitParts';
import type { VisitInput } from './visits';
import type { World } from './world';

/** Events of this page that the engine of another user is given, at most. The oldest events are left out. */
const maxRecentEvents = 200;
/** Transitions that an addon is given that starts late, at most: the latest. */
const maxReplayed = 1000;

/** The visitor and the page that an engine works for. */
export interface EvaluationInput {
  /** Another id from the server begins another engine. */
  readonly visitor: Visitor;
  /** The events of the page are evaluated. Queries may count within its session and view. */
  readonly page: Pick<VisitPage, 'tracked$' | 'moments' | 'context' | 'pageExit$'>;
  /** The delivery has events that an engine has to count: of other pages, and of an earlier visit of this page. */
  readonly delivery: Pick<Delivering, 'page' | 'uncounted' | 'uncounted$'>;
  /** What cohort services give: cohorts, and data that queries look up. Hot. */
  readonly service$: Observable<ServiceOutput>;
  /** Replays one value once all parts of the visit listen. The engine, which loads meanwhile, is heard from then on. */
  readonly begun$: Observable<unknown>;
  /** Emits when the visit ends; shared states then let go of their sources. */
  readonly stop$: Observable<unknown>;
  /** Whether the engine's host measures itself, for `metrics$`. */
  readonly isMeasured: boolean;
}

/**
 * Runs the visit's events through the engine, in a worker or on the page.
 *
 * When the server knows the visitor by another id, another engine begins, because an engine must not know another
 * user's history (spec C§4). The other engine is given the recent events of this page as events that no engine has
 * evaluated.
 */
export const evaluation = (
  { visitor, page, delivery, service$, begun$, stop$, isMeasured }: EvaluationInput,
  { stored }: Pick<VisitInput, 'stored'>,
  world: World,
): Evaluation => {
  const { moments, context, pageExit$ } = page;
  // This page's events for an engine of another user, the oldest first.
  const recentEvents: NumberedEvent[] = [];
  const start = (given: readonly NumberedEvent[]): EngineCommand =>
    startMessage(world, context(), moments.touch(), { ...visitor, given, page: delivery.page, isMeasured });
  // The stored cohorts are those of the user that the page began with.
  const knownCohorts = (): readonly string[] => (visitor.isAdopted() ? [] : stored.cohorts);
  // The engine of another user is given the events of this page. What earlier pages have left is of the user before.
  const { message$, send } = engineOfUser(
    world.openEngine,
    visitor.adopted$.pipe(map(() => start(newestEvents(recentEvents, maxRecentEvents, world.json)))),
  );
  const link = { message$: message$.pipe(delayWhen(() => begun$)), send };
  const engine = fromEngine(link, knownCohorts, world.report);
  const held = holdCohorts(engine, service$, ownFields(stored).produced ?? {}, visitor.adopted$, world.now);

  const evaluated$ = page.tracked$.pipe(numbered(delivery.page), tap(keepIn(recentEvents)), share());
  const transition$ = held.transitions$.pipe(debounceTransitions(publishQuietMs, pageExit$), mergeAll(), share());
  const transitionsSinceInit$ = transition$.pipe(shareState(stop$, maxReplayed));
  const flush$ = pageExit$.pipe(filter(({ step }) => step === 'flush'));

  // The code that keeps the ends may come later than they do.
  const ends$ = engine.ends$.pipe(shareState(stop$));

  return {
    initialised$: engine.initialised$.pipe(take(1), shareState(stop$)),
    ready$: engine.ready$.pipe(take(1)),
    barrier$: merge(
      engine.barrierReached$,
      perform(() => engine.send({ type: 'barrier', name: 'realtime' })),
    ).pipe(take(1)),
    cohorts$: held.cohorts$.pipe(shareState(stop$)),
    usage$: engine.usage$,
    models$: engine.models$,
    ends$,
    transition$,
    transitionsSinceInit$,
    transitionDraft$: transition$.pipe(map(transitionDraft)),
    metrics$: engine.metrics$,
    saved$: engine.saved$,
    run$: merge(
      // No engine goes along into the back-forward cache: Safari stops a worker there in the middle of a transaction,
      // for which the database of the next page waits. A page that returns begins another visit.
      engine.start$.pipe(takeUntil(flush$.pipe(filter(({ isUnloading }) => isUnloading)))),
      // Subscribed from the start, so that addons that start late get all transitions.
      transitionsSinceInit$,
      ends$,
      // The start message goes before the first event, and has the events of an earlier visit of the page.
      perform(() => engine.send(start(delivery.uncounted(visitor.userId())))),
      // The engine leaves out the events that it has counted already.
      delivery.uncounted$(visitor.userId()).pipe(tap((event) => engine.send({ type: 'track', event }))),
      feedEngine(evaluated$, moments.current).pipe(tap(engine.send)),
      // An engine that is about to end saves nothing any more.
      flush$.pipe(tap(({ isUnloading }) => isUnloading || engine.send({ type: 'flush' }))),
      answers(engine, visitor, world),
      engine.reports$,
      service$.pipe(
        filter((output) => output.type === 'data' || output.type === 'filled'),
        tap(engine.send),
      ),
      explanations({ engine, held, visitor, delivery }, world),
    ).pipe(ignoreElements()),
  };
};

/** Keeps an event as the latest one, and not the oldest of too many. */
const keepIn =
  (recentEvents: NumberedEvent[]) =>
  (event: NumberedEvent): void => {
    // Told for the user before.
    if (isTransition(event.name)) return;
    if (recentEvents.push(event) > maxRecentEvents) recentEvents.shift();
  };

/** The events for the engine, each with its place among those of the page. */
const numbered =
  (page: string): OperatorFunction<Counting, NumberedEvent> =>
  (tracked$) =>
    tracked$.pipe(
      filter(({ number }) => number > 0),
      map(({ event, draft, number }) => {
        const { provisional, unfilled } = ownFields(draft);
        return { ...event, provisional, unfilled, page, number };
      }),
    );

/** Answers to the engine's questions. The answers begin anew with the engine of another user. */
const answers = (engine: ReturnType<typeof fromEngine>, visitor: Visitor, world: World): Observable<unknown> => {
  // Server calls are in the deferred chunk, because the engine calls no server before its first cohorts.
  const callServer: AnswerEngineDeps['callServer'] = (what, input) =>
    world.deferredParts$.pipe(mergeMap(({ serverCalls }) => serverCalls[what](input, world)));
  return visitor.adopted$.pipe(
    startWith(visitor.userId()),
    // switchMap: answers to the previous user's engine must not reach this one.
    switchMap(() => answerEngine(engine.question$, { local: world.local, callServer })),
    tap(engine.send),
  );
};

/** Answers the page's questions why a cohort holds. Where the code for it could not be loaded, nobody knows. */
const explanations = (asked: Explainers, world: World): Observable<unknown> =>
  world.calls.explain$.pipe(
    mergeMap((call) =>
      world.deferredParts$.pipe(
        mergeMap(({ explained }) => explained(call, asked, world)),
        defaultIfEmpty<Told, Told>([null]),
        tap((answer) => call.done(...answer)),
      ),
    ),
  );
