import { catchError, config as rxjsConfig, connect, defer, filter, first, merge, NEVER, type ObservableInput, take, tap } from 'rxjs';
import type { AnyAddon } from './addons/addon';
import type { LateParts } from './late';
import { type ConfigName, settingsFrom } from './model/config';
import { type Json, NoJson } from './model/json';
import { type Overrides, overridesFromQuery, overridesFromStore } from './model/overrides';
import { messageOf } from './model/messageOf';
import type { PageProject } from './model/project';
import type { Report } from './model/report';
import type { Signal } from './model/signal';
import { isolate } from './operators/isolate';
import type { Platform } from './platform/platform';
import { publicApi } from './publicApi';
import { runtime } from './runtime';
import { countedHttp } from './streams/countedHttp';
import { recordConsent, storedConsent } from './streams/fromConsent';
import { publicCalls } from './streams/publicCalls';
import { selfReports } from './streams/selfReports';
import { bind, bindIdentify, queuedCalls, setMethods, type Tag } from './tag';
import { telemetry, type TelemetryChunks } from './telemetry';

export interface BootDeps extends TelemetryChunks {
  readonly tag: Tag;
  readonly project: PageProject;
  readonly addons: readonly AnyAddon[];
  /** Names of the addons in the chunk that `loadLate` loads. */
  readonly lateAddons: readonly string[];
  readonly loadLate: () => ObservableInput<LateParts>;
  readonly json: Json;
  readonly platformOf: (report: Report) => Platform;
  /** Says in the console why nothing starts. */
  readonly warn: (reason: string) => void;
  readonly log: (message: string, cause: unknown) => void;
}

/** Starts the SDK on a page that has its tag, in the order of spec C§4: consent, context, core, public methods. Answers how to stop it. */
export const boot = ({ tag, project, addons, lateAddons, loadLate, json, platformOf, warn, log, ...chunks }: BootDeps): (() => void) => {
  let loggingEnabled = (): boolean => true;
  const own = selfReports();
  const report: Report = (message, cause) => {
    if (loggingEnabled()) log(message, cause);
    own.report(message, cause);
  };
  // Before anything can throw: an error of ours must never reach the page's onerror.
  rxjsConfig.onUnhandledError = (error) => report('Exception during initialisation', error);

  const browser = platformOf(report);
  const platform = { ...browser, http: countedHttp(browser.http, browser.now, own.measure) };
  const overrides = overridesOf(platform, json, report);
  const setting = settingsFrom({ page: () => tag['config'], overrides, project: configOf(project), report });
  loggingEnabled = () => setting('loggingEnabled');
  const calls = publicCalls();

  // Consent first: what the page has said already must count before anything is touched.
  const consentDeps = { ...platform, json, setting, report };
  for (const { functionName, arguments: args } of queuedCalls(tag, ignore)) if (functionName === 'consent') recordConsent(args[0], consentDeps);
  const refused = setting('consentRequired') && !storedConsent({ ...consentDeps, report: ignore });
  if (refused) warn('No consent to run on the page');

  const late$ = defer(loadLate).pipe(isolate('Failed to load addons', report));
  const failed = (cause: unknown): void => report(`Exception during initialisation. Got ${messageOf(cause)}`, cause);
  const running = runtime({ platform, project, addons, late$, setting, json, calls, report })
    .pipe(
      catchError((cause: unknown) => {
        failed(cause);
        // Not the end: this has still to be told.
        return NEVER;
      }),
      // connect: everyone listens before the first signal.
      connect((signal$) => {
        const api = publicApi({ signal$, calls, project, addonNames: [...addons.map(({ name }) => name), ...lateAddons], report, now: platform.now, dispatch: platform.page.dispatch });
        setMethods(tag, api.methods, ['consent']);
        const methods$ = signal$.pipe(
          first((signal) => opensMethods(signal, setting('consentRequired'))),
          // What was tracked before consent is not tracked after it; what the page has set up holds.
          tap(() => bind(tag, api, queuedCalls(tag, report).filter(({ functionName }) => !refused || functionName !== 'track'), report)),
        );
        // Whoever is queued for identification is identified before anything else happens (spec C§4).
        const identify$ = signal$.pipe(
          filter(({ type }) => type === 'visit'),
          take(1),
          tap(() => bindIdentify(tag, api, report)),
        );
        const overrides$ = signal$.pipe(
          filter((signal) => signal.type === 'visit' && Object.keys(overrides).length > 0),
          tap(() => platform.session.write(overridesKey, json.stringify(overrides))),
        );
        // Tells frames and scripts of the page, and nobody else, that it may begin. Names no one.
        const announced$ = signal$.pipe(first(({ type }) => type === 'visit'), tap(() => platform.page.post({ type: 'sdk-init' })));
        return merge(telemetry(signal$, own, { ...platform, setting, json, report, ...chunks }), api.run$, identify$, methods$, overrides$, announced$);
      }),
    )
    .subscribe({ error: failed });
  return () => running.unsubscribe();
};

/** For what is read twice and reported the second time. */
const ignore: Report = () => undefined;

/** Blockers are empty once the queries are initialised; where a visitor has refused, there is nothing to wait for. */
const opensMethods = (signal: Signal, consentRequired: boolean): boolean =>
  signal.type === 'stage' ? signal.stage === 'initialised' : signal.type === 'consent' && !signal.given && !consentRequired;

/** Overrides of this page's address, over those the tab has kept. */
const overridesOf = ({ page, session }: Platform, json: Json, report: Report): Overrides => {
  try {
    const stored = json.parse(session.read(overridesKey) ?? '{}');
    return { ...overridesFromStore(stored === NoJson ? {} : stored), ...overridesFromQuery(new URL(page.url()).search) };
  } catch (cause) {
    report('Failed to parse query params', cause);
    return {};
  }
};
const overridesKey = '__permutiveConfigQueryParams';

/** What a project fixes for all its pages. */
const configOf = ({ config, apiKey }: PageProject): Partial<Record<ConfigName, unknown>> => ({ ...config, apiKey });
