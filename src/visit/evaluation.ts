import {
  concat,
  defer,
  delayWhen,
  filter,
  from,
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
import type { EngineCommand, Explained } from '../model/engineCommands';
import type { KeptEvent, NumberedEvent, Tracked } from '../model/event';
import type { ServiceOutput } from '../model/serviceOutput';
import { perform } from '../operators/creators/perform';
import { shareState } from '../operators/shareState';
import type { Delivering } from '../sinks/delivery/deliver';
import { answerEngine, type AnswerEngineDeps } from './answerEngine';
import { engineOfUser } from './engineOfUser';
import { feedEngine, startMessage } from './feedEngine';
import { fromEngine } from './fromEngine';
import { holdCohorts } from './holdCohorts';
import { newestEvents } from './newestEvents';
import { transitionDraft } from './transitionEvents';
import { unsavedAt } from './unsavedAt';
import type { Evaluation, Visitor, VisitPage } from './visitParts';
import type { VisitInput } from './visits';
import type { World } from './world';

/** Events of this page that the engine of another user is given, at most. The oldest events are left out. */
const maxRecentEvents = 200;
/** Events that a page leaves to the next engine, at most: the newest. More would hold up the page while it unloads. */
export const maxLeft = 1000;
/** Transitions that an addon is given that starts late, at most: the latest. */
const maxReplayed = 1000;

/** The visitor and the page that an engine works for. */
export interface EvaluationInput {
  /** Another id from the server begins another engine. */
  readonly visitor: Visitor;
  /** The events of the page are evaluated. Queries may count within its session and view. */
  readonly page: Pick<VisitPage, 'tracked$' | 'moments' | 'context' | 'pageExit$'>;
  readonly delivery: Pick<Delivering, 'page'>;
  /** What cohort services give: cohorts, and data that queries look up. Hot. */
  readonly service$: Observable<ServiceOutput>;
  /** Replays one value once all parts of the visit listen. The engine, which loads meanwhile, is heard from then on. */
  readonly begun$: Observable<unknown>;
  /** Emits when the visit ends; shared states then let go of their sources. */
  readonly stop$: Observable<unknown>;
}

/**
 * Runs the visit's events through the engine, in a worker or on the page.
 *
 * When the server knows the visitor by another id, another engine begins, because an engine must not know another
 * user's history (spec C§4). The other engine is given the recent events of this page as events that no engine has
 * evaluated.
 */
export const evaluation = (
  { visitor, page, delivery, service$, begun$, stop$ }: EvaluationInput,
  { stored, nextNumber }: Pick<VisitInput, 'stored' | 'nextNumber'>,
  world: World,
): Evaluation => {
  const { moments, context, pageExit$ } = page;
  // This page's events for an engine of another user, the oldest first.
  const recentEvents: NumberedEvent[] = [];
  let isMeasured = false;
  const start = (unsaved: readonly KeptEvent[]): EngineCommand =>
    startMessage(world, context(), moments.touch(), { unsaved, page: delivery.page }, isMeasured);
  // Events that an engine begins with: those of this page for the engine of another user, because what earlier pages
  // have left is of the user before.
  const given$ = visitor.adopted$.pipe(
    map((): readonly KeptEvent[] => newestEvents(recentEvents, maxRecentEvents, world.json)),
  );
  // The stored cohorts are those of the user that the page began with.
  const knownCohorts = (): readonly string[] => (visitor.isAdopted() ? [] : stored.cohorts);
  const { message$, send } = engineOfUser(world.openEngine, given$.pipe(map(start)));
  const link = { message$: message$.pipe(delayWhen(() => begun$)), send };
  const engine = fromEngine(link, knownCohorts, world.report);
  const held = holdCohorts(engine, service$, ownFields(stored).produced ?? {}, visitor.adopted$, world.now);

  const evaluated$ = page.tracked$.pipe(numbered(delivery.page, nextNumber), tap(keepIn(recentEvents)), share());
  const transition$ = held.transitions$.pipe(debounceTransitions(publishQuietMs, pageExit$), mergeAll(), share());
  const transitionsSinceInit$ = transition$.pipe(shareState(stop$, maxReplayed));
  const flush$ = pageExit$.pipe(filter(({ step }) => step === 'flush'));
  const unload$ = flush$.pipe(filter(({ isUnloading }) => isUnloading));

  return {
    initialised$: engine.initialised$.pipe(take(1), shareState(stop$)),
    barrier$: merge(
      engine.barrierReached$,
      perform(() => engine.send({ type: 'barrier', name: 'realtime' })),
    ).pipe(take(1)),
    cohorts$: held.cohorts$.pipe(shareState(stop$)),
    usage$: engine.usage$,
    transition$,
    transitionsSinceInit$,
    transitionDraft$: transition$.pipe(map(transitionDraft)),
    metrics$: defer(() => {
      isMeasured = true;
      return engine.metrics$;
    }),
    saved$: engine.saved$,
    unsaved$: unsavedOf(given$.pipe(startWith(stored.unsaved)), evaluated$, engine.saved$, unload$),
    // No engine goes along into the back-forward cache: Safari stops a worker there in the middle of a transaction, for
    // which the database of the next page waits. A page that returns begins another visit.
    start$: engine.start$.pipe(takeUntil(unload$)),
    run$: merge(
      // Subscribed from the start, so that addons that start late get all transitions.
      transitionsSinceInit$,
      // The start message goes before the first event.
      perform(() => engine.send(start(stored.unsaved))),
      feedEngine(evaluated$, moments.current).pipe(tap(engine.send)),
      // An engine that is about to end saves nothing any more.
      flush$.pipe(tap(({ isUnloading }) => isUnloading || engine.send({ type: 'flush' }))),
      answers(engine, visitor, world),
      engine.reports$,
      service$.pipe(
        filter((output) => output.type === 'data'),
        tap(engine.send),
      ),
      explanations(engine, held, world),
    ).pipe(ignoreElements()),
  };
};

/** Keeps an event as the latest one, and not the oldest of too many. */
const keepIn =
  (recentEvents: NumberedEvent[]) =>
  (event: NumberedEvent): void => {
    if (recentEvents.push(event) > maxRecentEvents) recentEvents.shift();
  };

/** The events for the engine, each with its place among those of the page. */
const numbered =
  (page: string, nextNumber: () => number): OperatorFunction<Tracked, NumberedEvent> =>
  (tracked$) =>
    tracked$.pipe(
      // The engine counts transitions itself when it makes them.
      filter(({ event }) => !isTransition(event.name)),
      map(({ event, draft: { provisional } }) => ({ ...event, provisional, page, number: nextNumber() })),
    );

/**
 * The events that the engine of the moment has not saved as the page unloads, and again at each event after that.
 * `given$`: those that each engine begins with.
 */
const unsavedOf = (
  given$: Observable<readonly KeptEvent[]>,
  evaluated$: Observable<NumberedEvent>,
  saved$: Observable<string>,
  unload$: Observable<unknown>,
): Observable<readonly KeptEvent[]> => {
  // The page's own listeners may track after that, and so does a visit that begins while its page unloads.
  const when$ = unload$.pipe(switchMap(() => evaluated$.pipe(startWith(0))));
  return given$.pipe(switchMap((given) => unsavedAt(concat(from(given), evaluated$), saved$, when$, maxLeft)));
};

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

/** Answers the page's questions why a cohort holds. */
const explanations = (
  engine: ReturnType<typeof fromEngine>,
  held: ReturnType<typeof holdCohorts>,
  { calls }: Pick<World, 'calls'>,
): Observable<unknown> =>
  calls.explain$.pipe(
    mergeMap(({ id, tell }) =>
      engine.explain(id).pipe(tap((said) => tell(explanationText(said, held.reasons(id)), said))),
    ),
  );

/** Why a cohort holds or not: what its query says, and what services say. Null where nobody knows it. */
const explanationText = ({ text }: Explained, reasons: readonly string[]): string | null => {
  const all = [...(text === null ? [] : [text]), ...reasons];
  return all.length === 0 ? null : all.join('\n');
};
