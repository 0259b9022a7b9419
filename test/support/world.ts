import { defer, finalize, type Observable, of, ReplaySubject } from 'rxjs';

import type { AnyAddon } from '../../src/addons/addon';
import { publicCalls } from '../../src/api/publicCalls';
import { noExperiment } from '../../src/contracts/experiment';
import type { FakeEngine } from '../../src/fakePlatform/fakeEngine';
import { type FakeFacts, type FakePlatform, fakePlatform } from '../../src/fakePlatform/fakePlatform';
import { json } from '../../src/hardening/plainJson';
import type { Event, EventDraft } from '../../src/model/event';
import type { PageProject } from '../../src/model/project';
import type { EngineLink, HttpRequest, Platform } from '../../src/platform/platform';
import { fromConsent } from '../../src/streams/visitor/fromConsent';
import type { AppState } from '../../src/visit/appState';
import { storedAppState } from '../../src/visit/appStateStore';
import type { DeferredParts, World } from '../../src/visit/world';
import { noon } from './events';
import { lateParts, projectOf } from './project';
import { reportMock } from './reports';
import { settingsOf } from './settings';

export interface WorldFacts extends FakeFacts {
  readonly addons?: readonly AnyAddon[];
  /** What the page sets. A wrong value fails the test. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly project?: Partial<PageProject>;
  /** Default: the deferred chunk is there at once, without addons. */
  readonly deferredParts$?: Observable<DeferredParts>;
}

/** A message to an engine, or `end` when nobody listens to that engine any more. */
export interface Told {
  readonly type: string;
  readonly event?: Event;
  /** Of `start`. */
  readonly userId?: string;
  readonly given?: readonly Event[];
}

/**
 * Everything that the SDK runs on, in memory: a test acts through it, and looks into it. The streams repeat what has
 * happened to whoever subscribes later, so that a test may subscribe before or after the start.
 */
export interface TestWorld extends FakePlatform, Omit<World, keyof Platform> {
  readonly report: ReturnType<typeof reportMock>;
  /** Requests as they are sent. */
  readonly request$: Observable<HttpRequest>;
  /** What the engines are told, as far as they are open. */
  readonly told$: Observable<Told>;
  /** Names of the CustomEvents that are dispatched on `window`. */
  readonly dispatched$: Observable<string>;
  /** Names of events that the page has tracked and that were accepted, or null for one that was not. */
  readonly accepted$: Observable<string | null>;
  /** The page tracks an event. */
  readonly track: (name: string, draft?: Partial<EventDraft>) => void;
  /** The visitor gives consent, or withdraws it. */
  readonly giveConsent: (isGiven: boolean) => void;
  /** The state as it is stored. */
  readonly state: () => AppState;
}

/** Makes a world; consent is as the page says by `calls`. */
export const worldOf = (facts: WorldFacts = {}): TestWorld => {
  const platform = fakePlatform(facts);
  const calls = publicCalls();
  const setting = settingsOf(facts.config);
  const report = reportMock();
  const accepted$ = new ReplaySubject<string | null>(Infinity);
  const consent = fromConsent([], calls.consent$, { ...platform, ...calls, json, setting, report });
  return {
    ...platform,
    ...noted(platform),
    project: projectOf(facts.project),
    experiment: noExperiment,
    addons: facts.addons ?? [],
    deferredParts$: facts.deferredParts$ ?? of(lateParts()),
    consent$: consent.state$,
    keepRefusal: consent.keepRefusal,
    setting,
    json,
    calls,
    report,
    accepted$,
    track: (name, draft = {}) =>
      calls.track({ draft: { name, ...draft }, accepted: (event) => accepted$.next(event?.name ?? null) }),
    giveConsent: (isGiven) => calls.giveConsent({ opt_in: isGiven }),
    state: storedAppState({ local: platform.local, json, setting, report }).read,
  };
};

/** The doors of a platform whose use is a stream. */
const noted = (platform: FakePlatform) => {
  const [request$, told$] = [new ReplaySubject<HttpRequest>(Infinity), new ReplaySubject<Told>(Infinity)];
  const dispatched$ = new ReplaySubject<string>(Infinity);
  return {
    request$,
    told$,
    dispatched$,
    http: {
      ...platform.http,
      send: (request: HttpRequest) =>
        defer(() => {
          request$.next(request);
          return platform.http.send(request);
        }),
    },
    page: {
      ...platform.page,
      dispatch: (name: string, detail: unknown) => {
        dispatched$.next(name);
        platform.page.dispatch(name, detail);
      },
    },
    openEngine: () => notedLink(platform.openEngine(), platform.engines.at(-1)!, (told) => told$.next(told)),
  };
};

const notedLink = (link: EngineLink, engine: FakeEngine, note: (told: Told) => void): EngineLink => ({
  message$: link.message$.pipe(
    finalize(() => {
      if (!engine.isOpen()) note({ type: 'end' });
    }),
  ),
  send: (message) => {
    if (engine.isOpen()) note(message);
    link.send(message);
  },
});

export const membershipOf = (...members: string[]) => ({ members, activations: {} });

/** What the latest engine says; `i` is the number of an earlier one. */
export const engineOf = ({ engines }: Pick<FakePlatform, 'engines'>, i = -1) => {
  const engine = engines.at(i)!;
  return {
    ...engine,
    /** The queries are initialised, and the visitor is in these cohorts. */
    initialise: (...members: string[]) =>
      engine.say({ type: 'initialised', membership: membershipOf(...members), migrated: false, transitions: [] }),
    /** The visitor enters a cohort, and is in no other. */
    enter: (id: string) => {
      engine.say({ type: 'changed', membership: membershipOf(id) });
      engine.say({ type: 'transitions', transitions: [{ id, entry: true, time: noon }] });
    },
    /** Everything that was replayed before the barrier is evaluated. */
    reachBarrier: () => engine.say({ type: 'barrierReached', name: 'realtime' }),
    /** The effects of all events of each page up to this number are saved. */
    save: (until: Readonly<Record<string, number>>) => engine.say({ type: 'saved', until }),
  };
};
