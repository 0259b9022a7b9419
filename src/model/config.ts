import {
  AnyBoolean,
  AnyRecord,
  AnyString,
  type Codec,
  DecodeError,
  isRecord,
  list,
  object,
  readAs,
  shape,
  type TypeOf,
  value,
} from '../codecs/codecs';
import { ownEntry } from '../hardening/ownFields';
import { expiryPattern } from '../primitives/cookie';
import { secretNames } from '../privacy/personal';
import { localKeys } from './storageKeys';

interface Field<A> {
  readonly codec: Codec<A>;
  /** The default; a function where it depends on the environment. */
  readonly fallback: A | ((environment: string) => A);
  /** What a value of the wrong type means; undefined: nothing, so the next source is asked. */
  readonly unreadable: A | undefined;
}

const field = <A>(codec: Codec<A>, fallback: Field<A>['fallback'], unreadable?: A): Field<A> => ({
  codec,
  fallback,
  unreadable,
});

const FiniteNumber = value<number>('finite number', Number.isFinite);
const FiniteNumberOrNull = value<number | null>(
  '(finite number | null)',
  (input) => input === null || Number.isFinite(input),
);
/** Timers count milliseconds in 31 bits; longer ones would fire at once. */
const PositiveNumber = value<number>(
  'positive number',
  (input) => typeof input === 'number' && input > 0 && input < 2 ** 31,
);
const Texts = list(AnyString, 0, 100, 'Array<string>');
const CookieLife = value<string>(
  'number of days or months',
  (input) => typeof input === 'string' && expiryPattern.test(input),
);
const Switch = object('{ enabled: boolean }', shape({ enabled: AnyBoolean }));
const inDevelopment = (environment: string): boolean => environment === 'development';

/**
 * Every setting a page may give in `window.permutive.config`: type, default, meaning (spec C§9).
 * The table in docs/configuration.md is made from this one (`npm run docs`).
 */
export const configTable = {
  /** Key of the organisation, sent as `k` with every request. Default: the project definition’s. */
  apiKey: field(AnyString, ''),
  /** Workspace of the page. Default: `projectId`, else the project definition’s. */
  workspaceId: field(AnyString, ''),
  /** Older name of `workspaceId`. */
  projectId: field(AnyString, ''),
  /** `development` switches to http and logging. */
  environment: field(AnyString, 'production'),
  /** Host of the API; may hold a path. */
  apiHost: field(AnyString, 'api.permutive.com'),
  /** Protocol of the API, without colon. */
  apiProtocol: field(AnyString, (env) => (inDevelopment(env) ? 'http' : 'https')),
  /** Version segment of the API’s paths. */
  apiVersion: field(AnyString, 'v2.0'),
  /** Host of the CDN; may hold a path. */
  cdnBaseUrl: field(AnyString, 'cdn.permutive.com'),
  /** Protocol of the CDN, without colon. */
  cdnProtocol: field(AnyString, (env) => (inDevelopment(env) ? 'http' : 'https')),
  /** Version segment of the advertiser API. */
  advertiserApiVersion: field(AnyString, 'v4'),
  /** Version segment of the classification-model API. */
  classificationModelsApiVersion: field(AnyString, 'v1'),
  /** Version segment of the error API. */
  sdkErrorsApiVersion: field(AnyString, 'v2'),
  /** Host of the pxid service; empty: not asked. */
  pxidHost: field(AnyString, ''),
  /** Host of the segment sync. */
  segmentSyncApiHost: field(AnyString, 'sync.permutive.com'),
  /** Host of the secure-signal service, which is asked where `secure_signal` was started. */
  secureSignalsApiHost: field(AnyString, 'secure-signals.permutive.app'),
  /**
   * Do nothing before `permutive.consent({ opt_in: true, token })`. A value that is no boolean counts as `true`. Read
   * again at each call of the page.
   */
  consentRequired: field(AnyBoolean, false, true),
  /** Domain of the cookies. Default: the widest domain of the page on which the browser keeps one. */
  cookieDomain: field(AnyString, ''),
  /** Name of the id cookie. */
  cookieName: field(AnyString, 'permutive-id'),
  /** Life of the cookies, such as `6 months` or `1 day`. */
  cookieExpiry: field(CookieLife, '6 months'),
  /** Size of the events cache, at 2 bytes a character; 0 or less: no limit. */
  eventsCacheLimitBytes: field(FiniteNumber, 2_500_000),
  /** Age at which cached events are dropped; null, 0 or less: never. */
  eventsTTLInDays: field(FiniteNumberOrNull, null),
  /** Quiet time before a debounced write to local storage, in ms. */
  localStorageWriteDelay: field(FiniteNumber, 1000),
  /** Longest a debounced write is put off, in ms. */
  localStorageWriteMaxDelay: field(FiniteNumber, 1500),
  /** Keys whose writes are debounced; the app state is written at once where its key is not among them. */
  localStorageDebouncedKeys: field(Texts, [localKeys.appState]),
  /** Log what is otherwise only reported. Also `?permutive_debug=true`. */
  loggingEnabled: field(AnyBoolean, inDevelopment),
  /** Mark stages, events and transitions in the browser’s performance timeline, as `permutive:…`. */
  tracingEnabled: field(AnyBoolean, false),
  /** Record the page from its start, and open the inspector. */
  inspector: field(AnyBoolean, false),
  /**
   * Open the inspector by `?__permutive.inspector=true` on any host. Without it, that works where page or definition
   * set `loggingEnabled`, and on localhost.
   */
  inspectorByLink: field(AnyBoolean, false),
  /** Share of visitors whose metrics are sent, 0 to 100. */
  metricsSamplingPercentage: field(FiniteNumber, 20),
  /** Share of Prebid auctions that are not tracked, 0 to 1. */
  prebidAuctionsRandomDownsamplingThreshold: field(FiniteNumber, 0.9),
  /**
   * Parameters whose values are replaced by `*` in addresses that the SDK sends. A name is found as the last words of a
   * parameter: `token` finds `reset_token` and `resetToken` too, and not `token_type`. With `=` before it, a name is
   * found as a whole only.
   */
  redactedParameters: field(Texts, secretNames),
  /** Take Global Privacy Control, which the browser sends, for a refusal to share data with others. */
  respectGpc: field(AnyBoolean, true),
  /** Time a request may take, in ms. */
  requestTimeout: field(PositiveNumber, 5000),
  /**
   * What other publishers know of the visitor: by provider, the ids of segments. `permutive.addon('second_party', …)`
   * takes the same.
   */
  secondParty: field(AnyRecord, {}),
  /** Send error reports. */
  sendClientErrors: field(AnyBoolean, (env) => !inDevelopment(env)),
  /** Replace `$ip_address` in a Pageview by the visitor’s IP address. In the project definition only. */
  sendIpAddress: field(AnyBoolean, false),
  /** Kind of SDK, sent as `client.type` and `prmtvsdk`. */
  sdkType: field(AnyString, 'web'),
  /** Local storage key of the app state. */
  stateNamespace: field(AnyString, localKeys.appState),
  /** Id of the first view, made by the tag; used if it is a UUID. */
  viewId: field(AnyString, ''),
  /** Content classification of the page. */
  watson: field(Switch, { enabled: true }),
  /** Name of the global object. In the project definition only: the page’s settings are in that object. */
  windowKey: field(AnyString, 'permutive'),
} as const;

type ConfigTable = typeof configTable;
export type ConfigName = keyof ConfigTable;
export type Config = { readonly [Name in ConfigName]: TypeOf<ConfigTable[Name]['codec']> };

/** Reads one setting as it is now: pages change hosts after load, so nobody keeps a copy. */
export type Settings = <Name extends ConfigName>(name: Name) => Config[Name];

export interface SettingsSources {
  /** `window.permutive.config` as it is now. */
  readonly page: () => unknown;
  /** Query-parameter overrides of this tab; they win over the page. */
  readonly overrides: Readonly<Partial<Record<ConfigName, unknown>>>;
  /** Config of the project definition; the page wins over it. */
  readonly project: Readonly<Partial<Record<ConfigName, unknown>>>;
  readonly report: (message: string, cause: DecodeError) => void;
}

/**
 * Settings read from their sources at each use. A value of the wrong type is reported once by path and replaced by the
 * next source’s; for `consentRequired` it counts as `true`.
 */
export const settingsFrom = ({ page, overrides, project, report }: SettingsSources): Settings => {
  const reported = new Set<string>();
  const once = (name: string, { faults }: DecodeError): void => {
    const error = new DecodeError(
      faults.map(({ path, expected }) => ({ path: `config/${name}${path && `/${path}`}`, expected })),
    );
    if (reported.has(error.message)) return;
    reported.add(error.message);
    report('Invalid config', error);
  };
  // Own properties only.
  const own = (source: unknown, name: string): unknown => {
    try {
      return isRecord(source) ? ownEntry(source, name) : undefined;
    } catch {
      // A getter of the page has thrown. No setting may be a symbol, so it counts as one that does not decode.
      return Symbol();
    }
  };

  const read = <Name extends ConfigName>(name: Name): Config[Name] => {
    const { codec, fallback, unreadable } = configTable[name] as unknown as Field<Config[Name]>;
    for (const source of [overrides, page(), project]) {
      const given = own(source, name);
      if (given === undefined) continue;
      const setting = readAs(codec, given);
      if (!(setting instanceof DecodeError)) return setting;
      once(name, setting);
      if (unreadable !== undefined) return unreadable;
    }
    return typeof fallback === 'function' ? fallback(read('environment')) : fallback;
  };
  return read;
};
