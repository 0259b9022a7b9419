import {
  concat,
  defer,
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
  tap,
} from 'rxjs';

import { debounceTransitions, publishQuietMs } from '../cohorts/debounceTransitions';
import { isTransition } from '../model/cohort';
import type { Cohorts } from '../model/cohorts';
import type { EngineCommand, Explained, Transition } from '../model/engineCommands';
import type { EventDraft, KeptEvent, NumberedEvent } from '../model/event';
import type { Metric } from '../model/metric';
import { newestEvents } from '../model/newestEvents';
import { ownFields } from '../model/ownFields';
import type { PageContext } from '../model/pageContext';
import type { PageExit } from '../model/pageSignal';
import type { ServiceOutput } from '../model/serviceOutput';
import { perform } from '../operators/creators/perform';
import { shareState } from '../operators/shareState';
import type { SessionAndView } from '../streams/visitor/sessionAndView';
import type { World } from '../world';
import { answerEngine, type AnswerEngineDeps } from './answerEngine';
import { engineOfUser } from './engineOfUser';
import { feedEngine, startMessage } from './feedEngine';
import { type EngineStreams, fromEngine } from './fromEngine';
import { holdCohorts } from './holdCohorts';
import { transitionDraft } from './transitionEvents';
import { unsavedAt } from './unsavedAt';
import type { Visitor } from './visitor';
import type { VisitInput } from './visits';

/** Events of this page that the engine of another user is given, at most. The oldest are left out. */
const maxRecentEvents = 200;
/** Events that a page leaves to the next engine, at most: the newest. More would hold up the page while it unloads. */
export const maxLeft = 1000;
/** Transitions that an addon is given that starts late, at most: the latest. */
const maxReplayed = 1000;

/** The visitor and the page that an engine works for. */
export interface EvaluationInput extends Pick<VisitInput, 'delivering' | 'nextNumber' | 'stored' | 'pageExit$'> {
  /** Another id from the server begins another engine. */
  readonly visitor: Visitor;
  /** Session and view, which queries may count within. */
  readonly moments: SessionAndView;
  /** User id and client context of this moment. */
  readonly context: () => PageContext;
  /** What cohort services give: cohorts, and data that queries look up. Hot. */
  readonly service$: Observable<ServiceOutput>;
  /** Emits when the visit ends; shared states then let go of their sources. */
  readonly stop$: Observable<unknown>;
}

/** The engine's results for a visit. */
export interface Evaluation {
  /** State without a value at first: emits once, when the stored state is loaded and past events are replayed. */
  readonly initialised$: EngineStreams['initialised$'];
  /**
   * Subscribing sends a barrier message. Emits once, when the engine has evaluated everything that it was given before.
   */
  readonly barrier$: Observable<unknown>;
  /**
   * State: the visitor's cohorts, of queries and of services. They are those of the last page, with `isRealtime` false,
   * until the engine has answered; `isRealtime` becomes true with the barrier.
   */
  readonly cohorts$: Observable<Cohorts>;
  /** All third-party segments that made cohorts true, at each change. Hot. */
  readonly usage$: EngineStreams['usage$'];
  /** Memberships gained and lost, published after 500 ms without another one, or at page exit. Hot. */
  readonly transition$: Observable<Transition>;
  /** As `transition$`; a late subscriber first gets those since the visit began, at most the latest 1,000. */
  readonly transitionsSinceInit$: Observable<Transition>;
  /** As `transition$`, as drafts of SegmentEntry and SegmentExit. */
  readonly transitionDraft$: Observable<EventDraft>;
  /** What the engine's host has measured, in lists. Hot. The host tells it where someone listens before it starts. */
  readonly metrics$: Observable<readonly Metric[]>;
  /** Id of an event: the stored state contains it and all events before it. Hot. */
  readonly saved$: Observable<string>;
  /**
   * Emits as the page unloads: the events that the stored state of the engine does not contain yet. The next page
   * evaluates them again.
   */
  readonly unsaved$: Observable<readonly KeptEvent[]>;
  /** Sends events, answers and data to the engine, which keeps them until it has started. Subscribed once. */
  readonly run$: Observable<never>;
  /** Runs the engine while subscribed. Subscribed once, after everything that listens to it. */
  readonly start$: Observable<never>;
}

/**
 * Runs the visit's events through the engine, in a worker or on the page.
 *
 * When the server knows the visitor by another id, another engine begins, because an engine must not know another
 * user's history (spec C§4). It is given the recent events of this page as events that no engine has evaluated.
 */
export const evaluation = (event$: Observable<KeptEvent>, input: EvaluationInput, world: World): Evaluation => {
  const { visitor, moments, delivering, nextNumber, stored, context, service$, pageExit$, stop$ } = input;
  // This page's events for an engine of another user, the oldest first.
  const recentEvents: NumberedEvent[] = [];
  let isMeasured = false;
  const start = (unsaved: readonly KeptEvent[]): EngineCommand =>
    startMessage(world, context(), moments.touch(), { unsaved, page: delivering.page }, isMeasured);
  // Events that an engine begins with: those of this page for the engine of another user, because what earlier pages
  // have left is of the user before.
  const given$ = visitor.adopted$.pipe(
    map((): readonly KeptEvent[] => newestEvents(recentEvents, maxRecentEvents, world.json)),
  );
  // The stored cohorts are those of the user that the page began with.
  const knownCohorts = (): readonly string[] => (visitor.isAdopted() ? [] : stored.cohorts);
  const engine = fromEngine(engineOfUser(world.openEngine, given$.pipe(map(start))), knownCohorts, world.report);
  const held = holdCohorts(engine, service$, ownFields(stored).produced ?? {}, visitor.adopted$, world.now);

  const evaluated$ = event$.pipe(
    numbered(delivering.page, nextNumber),
    tap((event) => {
      if (recentEvents.push(event) > maxRecentEvents) recentEvents.shift();
    }),
    share(),
  );
  const transition$ = held.transitions$.pipe(debounceTransitions(publishQuietMs, pageExit$), mergeAll(), share());
  const transitionsSinceInit$ = transition$.pipe(shareState(stop$, maxReplayed));
  const flush$ = pageExit$.pipe(filter(({ step }) => step === 'flush'));

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
    unsaved$: unsavedOf(given$.pipe(startWith(stored.unsaved)), evaluated$, engine.saved$, flush$),
    start$: engine.start$,
    run$: merge(
      // Subscribed from the start, so that addons that start late get all transitions.
      transitionsSinceInit$,
      // The start message goes before the first event.
      perform(() => engine.send(start(stored.unsaved))),
      feedEngine(evaluated$, moments.current).pipe(tap(engine.send)),
      flush$.pipe(tap(() => engine.send({ type: 'flush' }))),
      answers(engine, input, world),
      engine.reports$,
      service$.pipe(
        filter((output) => output.type === 'data'),
        tap(engine.send),
      ),
      world.calls.explain$.pipe(
        mergeMap(({ id, tell }) => engine.explain(id).pipe(tap((said) => tell(wordsOf(said, held.reasons(id)), said)))),
      ),
    ).pipe(ignoreElements()),
  };
};

/** The events for the engine, each with its place among those of the page. */
const numbered =
  (page: string, nextNumber: () => number): OperatorFunction<KeptEvent, NumberedEvent> =>
  (event$) =>
    event$.pipe(
      // The engine counts transitions itself when it makes them.
      filter(({ name }) => !isTransition(name)),
      map((event) => ({ ...event, page, number: nextNumber() })),
    );

/**
 * The events that the engine of the moment has not saved as the page unloads. `given$`: those that each engine begins
 * with.
 */
const unsavedOf = (
  given$: Observable<readonly KeptEvent[]>,
  evaluated$: Observable<NumberedEvent>,
  saved$: Observable<string>,
  flush$: Observable<PageExit>,
): Observable<readonly KeptEvent[]> => {
  const unload$ = flush$.pipe(filter(({ isUnloading }) => isUnloading));
  return given$.pipe(switchMap((given) => unsavedAt(concat(from(given), evaluated$), saved$, unload$, maxLeft)));
};

/** Answers to the engine's questions. They begin anew with the engine of another user. */
const answers = (
  engine: ReturnType<typeof fromEngine>,
  { visitor }: EvaluationInput,
  world: World,
): Observable<unknown> => {
  // Server calls are in the deferred chunk, because the engine calls no server before its first cohorts.
  const callServer: AnswerEngineDeps['callServer'] = (what, input) =>
    world.deferredParts$.pipe(mergeMap(({ serverCalls }) => serverCalls[what](input, world)));
  return visitor.adopted$.pipe(
    startWith(visitor.userId()),
    // switchMap: answers to the previous user's engine must not reach this one.
    switchMap(() => answerEngine(engine.question$, { ...world, callServer })),
    tap(engine.send),
  );
};

/** Why a cohort holds or not: what its query says, and what services say. Null where nobody knows it. */
const wordsOf = ({ text }: Explained, reasons: readonly string[]): string | null => {
  const all = [...(text === null ? [] : [text]), ...reasons];
  return all.length === 0 ? null : all.join('\n');
};
