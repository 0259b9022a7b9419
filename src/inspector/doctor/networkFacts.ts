import { filter, map, switchMap } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import { sessionKeys } from '../../model/storageKeys';
import type { World } from '../../visit/world';
import type { InspectedPage } from '../inspectedPage';
import { calledBack, promised, readOf, valueWithin } from './askPage';
import type { EngineFacts, FailedHost, NetworkFacts, Violation } from './facts';

/** A page that is well has evaluated its queries by then. In ms. */
const evaluationPatience = 5_000;
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
  readonly responseEnd: number;
}

interface ResourceTimeline {
  readonly getEntriesByType: (type: 'resource') => readonly Resource[];
}

/** The requests of the page since it began, as far as the browser has kept them. */
export const resourcesOf = ({ page }: Pick<World, 'page'>): readonly Resource[] =>
  readOf<readonly Resource[]>(() => (page.global('performance') as ResourceTimeline).getEntriesByType('resource'), []);

/** Where the engine runs, and whether it does. */
export const engineFacts = async (
  { world, visit$ }: InspectedPage,
  resources: readonly Resource[],
  mayRun: boolean,
): Promise<EngineFacts> => ({
  isWorkerRefused: world.session.read(sessionKeys.workerRefused) !== null,
  isOnPage: resources.some(({ name }) => name.split(/[?#]/)[0]?.endsWith(`${world.project.workspaceId}-web.engine.js`)),
  isEvaluated: mayRun
    ? await valueWithin(
        evaluationPatience,
        visit$.pipe(
          switchMap(({ cohorts$ }) => cohorts$),
          filter(({ isRealtime }) => isRealtime),
          map(() => true),
        ),
        false,
      )
    : undefined,
});

/** What stands between the page and its servers. `asksServer`: whether the clock is compared with the page's server. */
export const networkFacts = async (
  world: World,
  resources: readonly Resource[],
  { isChunkMissing, asksServer }: { readonly isChunkMissing: boolean; readonly asksServer: boolean },
): Promise<NetworkFacts> => {
  // Policies first: the question to the server may break one.
  const violations = await violationsOf(world);
  return {
    isOnline: world.page.online(),
    violations,
    failed: failedHosts(world, resources),
    isChunkMissing,
    clockAhead: asksServer ? await clockAhead(world) : undefined,
  };
};

/** The last failure of each host of the SDK. Requests for images and scripts do not say how they ended. */
const failedHosts = (world: World, resources: readonly Resource[]): readonly FailedHost[] => {
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
    const violation = { directive: textOrNothing(effectiveDirective), blocked: textOrNothing(blockedURL) };
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

const textOrNothing = (given: unknown): string => (typeof given === 'string' ? given : '');

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
        const date = Date.parse(headers.get('date') ?? '');
        // A cache in between says how old its answer is, in seconds.
        const server = date + Number(headers.get('age') ?? 0) * 1000;
        const local = (began + now()) / 2;
        return Number.isFinite(server) ? local - server : undefined;
      }),
    ),
    undefined,
  );
};
