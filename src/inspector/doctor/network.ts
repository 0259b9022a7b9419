import { map } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import type { Finding } from '../../model/finding';
import { timeOf } from '../../primitives/isoDate';
import { textOrEmpty } from '../../primitives/textOrEmpty';
import type { World } from '../../visit/world';
import { calledBack, promised, readOf, valueWithin } from './askPage';
import { findingsAt } from './finding';

const atNetwork = findingsAt('network');
const atPolicy = findingsAt('policy');
const atClock = findingsAt('clock');

/** The browser gives what it has kept in the next task. In ms. */
const reportPatience = 500;
/** The page's own server. In ms. */
const serverPatience = 3_000;

/** A finished request, as the browser's performance timeline has it. */
export interface Resource {
  readonly name: string;
  readonly initiatorType: string;
  /** Absent in browsers that do not say; 0 without an answer. */
  readonly responseStatus?: number;
  readonly startTime: number;
  readonly responseEnd: number;
}

interface ResourceTimeline {
  readonly getEntriesByType: (type: 'resource') => readonly Resource[];
}

/** The requests of the page since it began, as far as the browser has kept them. */
export const resourcesOf = ({ page }: Pick<World, 'page'>): readonly Resource[] =>
  readOf<readonly Resource[]>(() => (page.global('performance') as ResourceTimeline).getEntriesByType('resource'), []);

/** What a policy of the page has refused. */
interface Violation {
  /** Such as `worker-src`. */
  readonly directive: string;
  /** Address, or a word such as `blob` or `inline`. */
  readonly blocked: string;
}

/** What stands between the page and its servers. `asksServer`: whether the clock is compared with the page's server. */
export const networkFacts = async (
  world: World,
  resources: readonly Resource[],
  { isChunkMissing, asksServer }: { readonly isChunkMissing: boolean; readonly asksServer: boolean },
) => {
  // Policies first: the question to the server may break one.
  const violations = await violationsOf(world);
  return {
    isOnline: world.page.online(),
    /** Violations that concern the SDK. */
    violations,
    failed: failedHosts(world, resources),
    /** Whether the deferred chunk could not be loaded. */
    isChunkMissing,
    /** How far the clock is before the server's; undefined where the server has not been asked or did not say. */
    clockAhead: asksServer ? await clockAhead(world) : undefined,
  };
};
type NetworkFacts = Awaited<ReturnType<typeof networkFacts>>;

/**
 * The last failure of each host of the SDK, by HTTP status; 0 without an answer. Requests for images and scripts do not
 * say how they ended.
 */
const failedHosts = (world: World, resources: readonly Resource[]) => {
  const failed = new Map(
    resources
      .filter(({ initiatorType }) => ['fetch', 'xmlhttprequest'].includes(initiatorType))
      .filter(({ name }) => isOwnAddress(name, world))
      .flatMap(({ name, responseStatus = 200 }) =>
        responseStatus === 0 || responseStatus >= 400 ? [[readOf(() => new URL(name).host, name), responseStatus]] : [],
      ),
  );
  return [...failed].map(([host, status]) => ({ host, status }));
};

/** Whether an address is one of the SDK's servers, or a file of its bundle. */
const isOwnAddress = (address: string, { setting, project }: World): boolean =>
  address.includes(project.workspaceId) ||
  (['apiHost', 'cdnBaseUrl', 'segmentSyncApiHost', 'secureSignalsApiHost', 'pxidHost'] as const)
    .map(setting)
    .some((host) => host !== '' && address.includes(`//${host}`));

/** Violations that the browser has kept since the page began, as far as they concern the SDK. */
const violationsOf = async (world: World): Promise<readonly Violation[]> => {
  const Observer = world.page.global('ReportingObserver') as ReportingObserverConstructor | undefined;
  if (typeof Observer !== 'function') return [];
  const reports = await valueWithin(
    reportPatience,
    calledBack((answer) => new Observer(answer, { types: ['csp-violation'], buffered: true }).observe()),
    [],
  );
  const bodies = Array.isArray(reports) ? (reports as readonly unknown[]).map(reportBody) : [];
  const seen = new Map<string, Violation>();
  for (const { effectiveDirective, blockedURL } of bodies) {
    const violation = { directive: textOrEmpty(effectiveDirective), blocked: textOrEmpty(blockedURL) };
    // The SDK's worker comes from a Blob. Other words than addresses, such as `inline`, are the page's own affairs.
    const isOwn = violation.directive.startsWith('worker-src')
      ? violation.blocked === 'blob'
      : isOwnAddress(violation.blocked, world);
    if (isOwn) seen.set(`${violation.directive} ${violation.blocked}`, violation);
  }
  return [...seen.values()];
};

type ReportingObserverConstructor = new (
  callback: (reports: unknown) => void,
  options: { readonly types: readonly string[]; readonly buffered: boolean },
) => { readonly observe: () => void };

const reportBody = (report: unknown): Readonly<Record<string, unknown>> => {
  // The fields of a report are getters of its prototype.
  const body = (report as { readonly body?: unknown } | null)?.body;
  return isRecord(body) ? body : {};
};

/**
 * How far the clock is before that of the page's own server, which is asked for the page's header only. A browser shows
 * scripts the date of no other server.
 */
const clockAhead = ({ page, now }: World): Promise<number | undefined> => {
  const ask = page.global('fetch') as typeof fetch | undefined;
  const began = now();
  return valueWithin(
    serverPatience,
    promised(() => ask?.(page.url(), { method: 'HEAD', cache: 'no-store', credentials: 'omit' })).pipe(
      map(({ headers }) => {
        const date = timeOf(headers.get('date') ?? '');
        // A cache in between says how old its answer is, in seconds.
        const server = date + Number(headers.get('age') ?? 0) * 1000;
        const local = (began + now()) / 2;
        return Number.isFinite(server) ? local - server : undefined;
      }),
    ),
    undefined,
  );
};

/** Clocks are off by less than this without anybody's noticing. */
const clockTolerance = 60_000;

/** What is to be said of the page's policy and requests. */
export const networkFindings = (network: NetworkFacts): readonly Finding[] => [
  ...network.violations.filter(({ directive }) => !directive.startsWith('worker-src')).flatMap(violationFindings),
  ...network.failed.flatMap(failureFindings),
  ...atNetwork.error(
    network.isChunkMissing,
    'The deferred chunk could not be loaded, so that only the first addons run',
    'Publish all files of a build together and before the page script, and allow their host in the policy.',
  ),
  ...atNetwork.warning(!network.isOnline, 'The browser has no network', 'Events wait until it has one.'),
  ...clockFindings(network),
];

const violationFindings = ({ directive, blocked }: Violation): readonly Finding[] =>
  atPolicy.error(
    true,
    `The policy of the page refuses ${blocked} by ${directive}`,
    `Allow it in \`${directive}\` of the Content-Security-Policy.`,
  );

const failureFindings = ({ host, status }: NetworkFacts['failed'][number]): readonly Finding[] =>
  status === 0
    ? atNetwork.error(
        true,
        `Requests to ${host} get no answer`,
        'Look for an ad blocker, a firewall or a wrong host in the settings `apiHost` and `cdnBaseUrl`. Events are kept until then.',
      )
    : atNetwork.warning(
        true,
        `Requests to ${host} are answered with status ${status}`,
        'See in the network panel which request it is: 401 and 403 mean a wrong `apiKey`, 404 a missing file, 429 and 5xx pass.',
      );

const clockFindings = ({ clockAhead = 0 }: NetworkFacts): readonly Finding[] => {
  const difference = `${Math.round(Math.abs(clockAhead) / 1000)} s ${clockAhead > 0 ? 'ahead of' : 'behind'}`;
  return atClock.warning(
    Math.abs(clockAhead) > clockTolerance,
    `The clock of this device is ${difference} the server’s`,
    'Set the clock. Events have the times of the device, so that sessions and cohorts by time differ.',
  );
};
