import { catchError, defer, delayWhen, mergeMap, NEVER, type ObservableInput, ReplaySubject, tap } from 'rxjs';

import type { AnyAddon } from './addons/addon';
import type { Observer } from './api/observer';
import { publicApi } from './api/publicApi';
import { publicCalls } from './api/publicCalls';
import { serviceInputs } from './api/serviceInputs';
import { hearConsent, queuedConsent, setMethods, type Tag } from './api/tag';
import { tagObserver } from './api/tagObserver';
import type { Experiment } from './contracts/experiment';
import type { Json } from './hardening/json';
import { ownEntry, ownFields } from './hardening/ownFields';
import { hardenRxjs } from './hardening/rxjs';
import { inspectorDoor, type InspectorDoorDeps } from './inspectorDoor';
import { type ConfigName, type Settings, settingsFrom } from './model/config';
import type { Consent } from './model/consent';
import { messageOf } from './model/errors';
import type { PageProject } from './model/project';
import type { Report } from './model/report';
import { appearances } from './operators/creators/appearances';
import { isolate } from './operators/isolate';
import type { Platform } from './platform/platform';
import { runtime } from './runtime';
import { durableJournal } from './sinks/delivery/durableJournal';
import { localJournal } from './sinks/delivery/localJournal';
import { fromConsent } from './streams/visitor/fromConsent';
import type { Overrides } from './streams/visitor/overrides';
import type { ReadOverrides } from './streams/visitor/tabOverrides';
import { measuredHttp } from './telemetry/measuredHttp';
import { slowStart, type SlowStartDeps } from './telemetry/slowStart';
import { telemetry, type TelemetryChunks } from './telemetry/telemetry';
import { type TelemetryBus, telemetryBus } from './telemetry/telemetryBus';
import { tracing } from './telemetry/tracing';
import type { DeferredParts, World } from './visit/world';

/** Everything that `boot` is given: what differs from page to page, and what tests replace. */
export interface BootDeps extends TelemetryChunks, Pick<InspectorDoorDeps, 'fileOf' | 'loadInspector'> {
  /** The page's tag. */
  readonly tag: Tag;
  /** Whether the console says already that there is no consent: the page has waited for an answer until now. */
  readonly wasUnasked: boolean;
  /** Ends the engine's worker that waits for a visit. */
  readonly closeWorker: () => void;
  /** Takes what the start waits for (`handOver.ts`). */
  readonly waitFor: SlowStartDeps['waitFor'];
  /** The project's definition, as the build has checked it. */
  readonly project: PageProject;
  /** The project's experiment. */
  readonly experiment: Experiment;
  /** The addons that start with the page script. */
  readonly addons: readonly AnyAddon[];
  /** Names of the addons in the chunk that `loadDeferred` loads. */
  readonly deferredAddons: readonly string[];
  /** Reads the overrides of settings (spec C§5). */
  readonly overriding: ReadOverrides;
  /** Loads the deferred chunk. */
  readonly loadDeferred: () => ObservableInput<DeferredParts>;
  /** JSON as it was before the page could change it. */
  readonly json: Json;
  /** Makes the platform. The platform reports what the browser refuses. */
  readonly platformOf: (report: Report) => Platform;
  /** Says in the console why nothing starts. */
  readonly warn: (reason: string) => void;
  /** Says in the console what was reported, unless the page has switched logging off. */
  readonly log: (message: string, cause: unknown) => void;
}

/**
 * Starts the SDK on a page that has its tag, in the order of spec C§4: consent, context, core, public methods. The
 * function makes the world, the public object and the observers, and subscribes to the runtime, which runs everything
 * else. Returns a function that stops the SDK.
 *
 * Where consent is required and missing, it warns once. Before the visitor was asked, it binds only `consent`; a later
 * opt-in starts the rest.
 */
export const boot = (deps: BootDeps): (() => void) => {
  const bus = telemetryBus();
  const { world, keeping, queued, consent, consent$ } = worldOf(deps, bus);
  const { calls, page, project, setting, now, report } = world;
  if (!deps.wasUnasked && setting('consentRequired') && consent.current() !== 'given')
    deps.warn('No consent to run on the page');

  // Addons of the deferred chunk are known by name before they have loaded.
  const addonNames = [...world.addons.map(({ name }) => name), ...deps.deferredAddons, ...serviceInputs];
  // Few pages ask for cohorts by name, so the names are in a file of their own.
  const idsByName$ = world.deferredParts$.pipe(
    mergeMap(({ bundleData, idsByName }) => idsByName(bundleData(deps.fileOf('cohorts')), world)),
    isolate('Failed to load the names of cohorts', report),
  );
  // An answer that was stored before has left the queue. What the page has waited for may be another tab's answer.
  const hasAnswered = (): boolean =>
    (queued.length > 0 || deps.wasUnasked || ownEntry(deps.tag, 'isAnswered') === true) &&
    consent.current() !== 'unasked';
  const { dispatch, global } = page;
  const api = publicApi({ calls, hasAnswered, project, now, report, addonNames, idsByName$, dispatch, global });
  setMethods(deps.tag, api.methods, ['consent']);
  hearConsent(deps.tag, api);
  const door = inspectorDoor({ ...deps, ...bus, world, isGiven: consent.current() === 'given' });
  const told = ({ whileConsent, whileVisit }: Observer): Observer => ({
    whileConsent,
    whileVisit: (visit) => whileVisit(world.experiment.told(visit, visit.context)),
  });
  const observers: readonly Observer[] = [
    told(api),
    tagObserver(deps.tag, api, world),
    told(tracing(world)),
    slowStart({ addonNames, waitFor: deps.waitFor }, world),
    door,
  ];
  // These store and send in the real world, so they do not observe one that a tab pretends.
  const acting = [telemetry(bus, world, deps), ...keeping];

  const failed = (cause: unknown): void => {
    const reason = `Exception during initialisation. Got ${messageOf(cause)}`;
    deps.waitFor(undefined);
    deps.warn(reason);
    report(reason, cause);
  };
  // Answers count from here on, also while the inspector loads, for which the visit waits.
  const running = consent.state$.pipe(tap((state) => state === 'given' || deps.closeWorker())).subscribe(consent$);
  running.add(
    door.world$
      .pipe(
        mergeMap((watched = world) =>
          runtime(watched, Object.hasOwn(watched, 'isPretended') ? observers : [...acting, ...observers]),
        ),
        catchError((cause: unknown) => {
          failed(cause);
          // The stream stays open, so that telemetry can still send the report of this error.
          return NEVER;
        }),
      )
      .subscribe({ error: failed }),
  );
  return () => running.unsubscribe();
};

/**
 * Makes the world. Settings are read at each use, because pages change them after load, and every request is measured.
 */
const worldOf = (deps: BootDeps, bus: TelemetryBus) => {
  const { tag, experiment, addons, json, platformOf, log, loadDeferred } = deps;
  const project = ownFields(deps.project);
  // Reports are logged until the settings can be read.
  let isLogging = (): boolean => true;
  // One failure, such as a missing chunk, may end many streams. Such an error is reported once.
  const reported = new WeakSet<Error>();
  const report: Report = (message, cause) => {
    if (cause instanceof Error) {
      if (reported.has(cause)) return;
      reported.add(cause);
    }
    if (isLogging()) log(message, cause);
    bus.report(message, cause);
  };
  // RxJS is hardened before any other code can throw.
  hardenRxjs((error) => report('Exception during initialisation', error));

  const platform = platformOf(report);
  const settings = (overrides: Overrides): Settings =>
    settingsFrom({ page: () => tag['config'], overrides, project: configOf(project), report });
  const { overrides, observers: keeping } = deps.overriding({ ...platform, json, report }, settings({}));
  const setting = settings(overrides);
  isLogging = () => setting('loggingEnabled');
  const calls = publicCalls();
  // Consent comes first: an answer in the page's queue counts before anything is stored or sent.
  const queued = queuedConsent(tag);
  const consent = fromConsent(queued, calls.consent$, { ...platform, ...calls, json, setting, report });
  const consent$ = new ReplaySubject<Consent>(1);
  const world: World = {
    ...platform,
    journal: durableJournal(platform.journal, localJournal(platform.local), report),
    http: measuredHttp(platform.http, platform.now, bus.measure),
    project,
    experiment,
    addons,
    // Each subscription asks for the chunk; the bundler loads it once. What it contains starts in a task of its own.
    deferredParts$: defer(loadDeferred).pipe(delayWhen(platform.yieldThread), isolate('Failed to load addons', report)),
    appears: appearances(platform.listen),
    consent$,
    keepRefusal: consent.keepRefusal,
    setting,
    json,
    calls,
    report,
  };
  return { world, keeping, queued, consent, consent$ };
};

/** Settings that the project definition gives all its pages. */
const configOf = ({ config, apiKey }: PageProject): Partial<Record<ConfigName, unknown>> => ({ ...config, apiKey });
