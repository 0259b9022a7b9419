import { distinctUntilKeyChanged, EMPTY, filter, map, type MonoTypeOperatorFunction, of } from 'rxjs';

import type { Observer } from '../api/observer';
import type { PublicCalls } from '../api/publicCalls';
import type { CohortService } from '../cohorts/service';
import { noExperiment } from '../contracts/experiment';
import { fakePlatform } from '../fakePlatform/fakePlatform';
import { virtualClock } from '../fakePlatform/virtualClock';
import { json } from '../hardening/plainJson';
import { codeOf } from '../model/cohort';
import type { Settings } from '../model/config';
import { isRefusal } from '../model/consent';
import type { Delivery } from '../model/delivery';
import type { Event } from '../model/event';
import type { Stage } from '../model/pageContext';
import type { PageProject } from '../model/project';
import type { Report } from '../model/report';
import type { ServiceOutput } from '../model/serviceOutput';
import { localKeys } from '../model/storageKeys';
import { appearances } from '../operators/creators/appearances';
import { perform } from '../operators/creators/perform';
import { isolate } from '../operators/isolate';
import type { Page, Platform } from '../platform/platform';
import { runtime } from '../runtime';
import { fromConsent } from '../streams/visitor/fromConsent';
import * as late from '../visit/deferredParts';
import type { DeferredParts, World } from '../visit/world';
import { fakeQueries, type FakeQueriesDeps } from './fakeQueries';
import { fakeServer } from './fakeServer';

/** What the SDK runs on in a fake. */
export interface FakeRuntimeDeps extends FakeQueriesDeps {
  readonly calls: PublicCalls;
  readonly setting: Settings;
  readonly report: Report;
  readonly page: Partial<Page>;
  readonly cohortCodes: PageProject['cohortCodes'];
  /** Why the server refuses an event; undefined where it takes it. */
  readonly refusal: (event: Event) => string | undefined;
}

/** What a page gets within so many ms, it gets at once. Transitions take 500 ms. */
const settledMs = 600;

/**
 * The real runtime on a platform in memory, with an engine and a server that do as they are told. The timers of the
 * runtime belong to a clock of its own, so that nothing waits and no timer of the browser is set.
 */
export const fakeRuntime = (deps: FakeRuntimeDeps) => {
  const { setting, report } = deps;
  const queries = fakeQueries(deps);
  const server = fakeServer(deps.refusal, (action) => time.act(action));
  const time = passingTime(queries.settle, server.isAsked);
  const platform = { ...fakePlatform({ ...deps, send: server.send }), openEngine: queries.openEngine };
  const withReason: MonoTypeOperatorFunction<Delivery> = map((delivery) => {
    const error = server.refusalOf(delivery.id);
    return error === undefined ? delivery : { ...delivery, error };
  });
  const told = ({ whileConsent, whileVisit }: Observer): Observer => ({
    whileConsent,
    whileVisit: (visit) => whileVisit({ ...visit, delivery$: visit.delivery$.pipe(withReason) }),
  });
  const start = (queued: readonly unknown[], observers: readonly Observer[]): void => {
    // What the last page has stored.
    platform.local.write(localKeys.userId, platform.newId());
    platform.local.write(setting('stateNamespace'), json.stringify({ cohorts: queries.members() }));
    const running$ = runtime(fakeWorld(queued, platform, deps), [
      forgetting(queries.setMembers),
      ...observers.map(told),
    ]);
    void running$.pipe(isolate('The fake has stopped', report)).forEach(() => undefined);
  };
  return {
    /** Starts, with what the page has said of consent so far. The observers follow consent and visits. */
    start: (queued: readonly unknown[], observers: readonly Observer[]): void =>
      time.actNow(() => start(queued, observers)),
    /** Reaches a stage, in this visit and in those that follow. */
    reach: (stage: Stage): void => time.actNow(() => queries.reach(stage)),
    /** The visitor is in these cohorts and in no other. */
    setMembers: (members: readonly string[]): void => time.actNow(() => queries.setMembers(members)),
    /** The cohorts of the visitor, or of the one who is to come. */
    members: queries.members,
    /** Lets the page do something. What comes of it after a while comes in a microtask. */
    act: time.act,
    /** Runs what is the page's own, in the middle of what the SDK does. */
    outside: time.outside,
  };
};

/** The runtime on a page in a test. */
export type FakeRuntime = ReturnType<typeof fakeRuntime>;

/** The time of the SDK. `settle` lets the engine answer; no time passes by itself while `isWaiting` for the server. */
const passingTime = (settle: () => void, isWaiting: () => boolean) => {
  const clock = virtualClock();
  let isPassing = false;
  const pass = (): void => {
    clock.run(settledMs);
    clock.within(settle);
  };
  const passSoon = (): void => {
    if (isPassing) return;
    isPassing = true;
    void Promise.resolve().then(() => {
      isPassing = false;
      if (!isWaiting()) pass();
    });
  };
  let depth = 0;
  const act = <A>(action: () => A): A => {
    const answer = clock.within(() => {
      depth += 1;
      try {
        return action();
      } finally {
        depth -= 1;
        // The engine answers in a task of its own, so not within an action that is part of another.
        if (depth === 0) settle();
      }
    });
    passSoon();
    return answer;
  };
  return {
    act,
    actNow: (action: () => void): void => {
      act(action);
      pass();
    },
    outside: clock.outside,
  };
};

/** The world of the page, with what it has said of consent so far. */
const fakeWorld = (
  queued: readonly unknown[],
  platform: Platform,
  { calls, setting, report, cohortCodes }: FakeRuntimeDeps,
): World => {
  const { state$, keepRefusal } = fromConsent(queued, calls.consent$, { ...platform, ...calls, json, setting, report });
  return {
    ...platform,
    project: { ...project, cohortCodes },
    experiment: noExperiment,
    addons: [],
    deferredParts$: of(parts),
    appears: appearances(platform.listen),
    consent$: state$,
    keepRefusal,
    setting,
    json,
    calls,
    report,
  };
};

/** Who refuses is forgotten, and who comes after them is another visitor. */
const forgetting = (setMembers: (members: readonly string[]) => void): Observer => {
  let wasRefused = false;
  return {
    whileConsent: (consent) =>
      perform(() => {
        if (wasRefused || isRefusal(consent)) setMembers([]);
        wasRefused = isRefusal(consent);
      }),
    whileVisit: () => EMPTY,
  };
};

/** A project without queries, services and addons. */
const project: PageProject = {
  workspaceId: '00000000-0000-4000-8000-000000000000',
  apiKey: '',
  config: {},
  activations: {},
  addons: {},
  cohortCodes: {},
  platformCohorts: {},
  optimisedActivationsConfig: {},
  hasModels: false,
};

/** Start-up, which has found nothing but the cohorts. No service has anything. */
const startupOnly: CohortService = ({ cohorts$, context }) =>
  cohorts$.pipe(
    filter(({ isRealtime }) => isRealtime),
    distinctUntilKeyChanged('isRealtime'),
    map(({ members, activations }): ServiceOutput => ({
      type: 'started',
      startup: {
        activations,
        cohorts: members.map(codeOf),
        context: context(),
        eventsToPublish: [],
        eventsToPublishOnPageUnload: [],
        externalData: {},
        geoIP: null,
        realtime: true,
        stateMigratedThisInitialisation: false,
        transitionsSinceInit: [],
        secureSignal: null,
      },
    })),
  );

const parts: DeferredParts = {
  ...late,
  cohortServices: startupOnly,
  addons: [],
  activations: {},
  addonOptions: {},
  definition: { tpdProviders: [] },
};
