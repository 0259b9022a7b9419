import {
  asapScheduler,
  BehaviorSubject,
  EMPTY,
  ignoreElements,
  map,
  merge,
  NEVER,
  type Observable,
  observeOn,
  of,
  queueScheduler,
  share,
  Subject,
  tap,
} from 'rxjs';

import type { VisitStreams } from '../api/observer';
import type { PublicCalls, TrackCall } from '../api/publicCalls';
import { codeOf } from '../model/cohort';
import { type Cohorts, noCohorts } from '../model/cohorts';
import type { Transition } from '../model/engineMessages';
import type { Event } from '../model/event';
import type { Stage } from '../model/pageContext';
import type { ServiceOutput } from '../model/serviceOutput';
import type { Startup } from '../model/startup';
import { type EventFactory, eventFactory } from '../visit/eventFactory';
import { transitionDraft } from '../visit/transitionEvents';

/* eslint-disable no-restricted-syntax -- plays the runtime: it is part of no bundle */

/** One visitor's stay on the page of a test, and what the test lets happen in it. */
export interface FakeVisit {
  /** What the public object follows. */
  readonly streams: VisitStreams;
  /** Reaches a stage. */
  readonly reach: (stage: Stage) => void;
  /** From now on, the visitor is in these cohorts and in no other. */
  readonly setMembers: (ids: readonly string[]) => void;
  /** Makes events of calls, and answers the other calls of the page. */
  readonly run$: Observable<never>;
}

/** What a visit is played with. */
export interface FakeVisitDeps extends EventFactory {
  readonly calls: PublicCalls;
  /** By platform, the ids of the cohorts that are activated there. */
  readonly activations: Readonly<Record<string, readonly string[]>>;
  /** What `explain` answers, by id of the cohort. */
  readonly explanations: Readonly<Record<string, string>>;
  /** Why the server refuses an event; undefined where it takes it. */
  readonly refusal: (event: Event) => string | undefined;
  /** Begins another visit, of another visitor; `done` is called when that one is initialised. */
  readonly restart: (done: () => void) => void;
  /** Ids of the cohorts that the last page has stored. */
  readonly members: readonly string[];
}

/**
 * Plays a visit without engine, server and storage. Events are made as the runtime makes them. What the runtime does
 * after a while is done at once: transitions are published with the cohorts, and the server answers two microtasks
 * later.
 */
export const fakeVisit = (deps: FakeVisitDeps): FakeVisit => {
  const { calls, now, newId } = deps;
  const userId = newId();
  const present = { session: { id: newId(), startedAt: now() }, view: { id: newId(), startedAt: now() } };
  const moments = { current: () => present, touch: () => present, openView: () => present };
  const { make, client } = eventFactory(moments, deps);
  const context: VisitStreams['context'] = () => ({
    user_id: userId,
    session_id: present.session.id,
    view_id: present.view.id,
    client: { ...client(), path: new URL(deps.page.url()).pathname, view_id: present.view.id },
  });

  const transition$ = new Subject<Transition>();
  const tracked$ = merge(calls.track$, transition$.pipe(map(callOf))).pipe(
    observeOn(queueScheduler), // as the runtime: every reader sees a cause before its effects
    map(({ draft, accepted }) => ({ event: make(draft), accepted })),
    tap(({ event, accepted }) => accepted(event)),
    map(({ event }) => event),
    share(),
  );
  const stored = { ...noCohorts, members: deps.members, activations: activatedOf(deps.members, deps.activations) };
  const cohorts$ = new BehaviorSubject<Cohorts>(stored);
  const stage$ = new Subject<Stage>();
  const service$ = new Subject<ServiceOutput>();
  const state: { cohorts: Cohorts } = { cohorts: stored };
  const publish = (changes: Partial<Cohorts>): void => {
    state.cohorts = { ...state.cohorts, ...changes };
    cohorts$.next(state.cohorts);
  };
  return {
    streams: {
      context,
      begun$: of(undefined),
      stage$,
      pageExit$: NEVER,
      event$: tracked$,
      cohorts$,
      transition$,
      service$,
      delivery$: deliveries(tracked$, deps.refusal),
      metrics$: EMPTY,
    },
    reach: (stage) => {
      // As an engine that has loaded, and then has evaluated what was replayed.
      publish({ isRealtime: stage === 'realtime' });
      stage$.next(stage);
      if (stage === 'realtime') service$.next({ type: 'started', startup: startupOf(state.cohorts, context()) });
    },
    setMembers: (members) => {
      const before = state.cohorts.members;
      publish({ members, activations: activatedOf(members, deps.activations) });
      for (const change of changesOf(before, members)) transition$.next({ ...change, time: now() });
    },
    run$: merge(
      tracked$,
      calls.identify$.pipe(tap(({ done }) => done(userId))),
      calls.explain$.pipe(tap(({ id, tell }) => tell(deps.explanations[id] ?? null))),
      calls.reset$.pipe(tap(deps.restart)),
    ).pipe(ignoreElements()),
  };
};

/** A transition as a call of `track` that nobody waits for. */
const callOf = (transition: Transition): TrackCall => ({
  draft: transitionDraft(transition),
  accepted: () => undefined,
});

/** The cohorts that were entered, then those that were left. */
const changesOf = (before: readonly string[], after: readonly string[]): readonly Omit<Transition, 'time'>[] => [
  ...after.filter((id) => !before.includes(id)).map((id) => ({ id, entry: true })),
  ...before.filter((id) => !after.includes(id)).map((id) => ({ id, entry: false })),
];

/** By platform, those of the members that are activated there. */
const activatedOf = (members: readonly string[], activations: FakeVisitDeps['activations']): Cohorts['activations'] =>
  Object.fromEntries(
    Object.entries(activations).map(([platform, ids]) => [platform, members.filter((id) => ids.includes(id))]),
  );

/** The server's answers. They come after those who wait for the event itself have it. */
const deliveries = (event$: Observable<Event>, refusal: FakeVisitDeps['refusal']): VisitStreams['delivery$'] =>
  event$.pipe(
    observeOn(asapScheduler),
    observeOn(asapScheduler),
    map((event) => {
      const error = refusal(event);
      return error === undefined ? { id: event.id } : { id: event.id, error };
    }),
  );

/** What start-up has found of a page on which no service has anything. */
const startupOf = ({ members, activations }: Cohorts, context: Startup['context']): Startup => ({
  activations,
  cohorts: members.map(codeOf),
  context,
  eventsToPublish: [],
  eventsToPublishOnPageUnload: [],
  externalData: {},
  geoIP: null,
  realtime: true,
  stateMigratedThisInitialisation: false,
  transitionsSinceInit: [],
  secureSignal: null,
});
