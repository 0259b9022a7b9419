import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';

import { endpointPath } from '../../src/endpoints/endpoint';
import { type Settings, settingsFrom } from '../../src/model/config';
import { expandTable } from '../../tools/rules';
import { isLoopbackOrigin, knownHosts, smallBodies } from './access';
import { advertiserRoutes } from './advertiser';
import { ampCohortsOfVisitors } from './amp';
import type { ApiProject } from './apiProject';
import { classificationRoutes } from './classification';
import { contextualRoutes } from './contextual';
import { controls } from './controls';
import { definitionsById } from './definitions';
import { errorBody } from './errorBody';
import { eventLog } from './eventLog';
import { eventRoutes } from './events';
import { faults as faultSwitches } from './faults';
import { type ApiEnv, ConnectionBroken, faulty } from './faulty';
import { geoRoutes } from './geo';
import { identities } from './identities';
import { joinCellsOf } from './joinCells';
import { journal, type LoggedRequest, type Rejected } from './journal';
import { liftRoutes } from './lift';
import { fileRoutes } from './models';
import { type Listed, overviewPage } from './overview';
import { partnerRoutes } from './partners';
import { reportRoutes } from './reports';
import { Refused, type Route } from './served';
import { stateSyncService } from './stateSync';
import { thirdPartyRoutes } from './thirdParty';

export interface ApiOptions {
  readonly project: ApiProject;
  /** Folder in which the accepted events are kept; absent: in memory only. */
  readonly dataDir?: string;
  /** Which origins may read the answers. Default: those of this machine. */
  readonly cors?: { readonly origins: readonly string[] };
  /** Names under which it answers besides those of this machine. */
  readonly hosts?: readonly string[];
}

export interface Api {
  readonly app: Hono<ApiEnv>;
  /** The calls that it answers. */
  readonly calls: readonly Listed[];
}

/** Answers every call of the SDK from the SDK's own descriptions of them, and tells what it has received. */
export const createApi = (options: ApiOptions): Hono<ApiEnv> => describedApi(options).app;

export const describedApi = ({ project: given, dataDir, cors: allowed, hosts = [] }: ApiOptions): Api => {
  const project = { ...given, queries: [...(given.queries ?? []), ...expandTable(given.rules ?? {}).definitions] };
  const events = eventLog(dataDir);
  const requests = journal<LoggedRequest>();
  const rejected = journal<Rejected>();
  const faults = faultSwitches();
  const people = identities();
  const amp = ampCohortsOfVisitors();
  const { queries, lifted = [] } = project;
  const states = stateSyncService(joinCellsOf(definitionsById([...queries, ...lifted])));

  const reject = (call: string, refused: Pick<Rejected, 'status' | 'message' | 'errors' | 'input'>): void => {
    rejected.add({ time: new Date().toISOString(), call, ...refused });
  };
  const routes: readonly Route[] = [
    ...eventRoutes(events, (error, input) =>
      reject('POST batch/events', { status: 400, message: error.message, errors: error.faults, input }),
    ),
    ...people.routes,
    ...amp.routes,
    ...reportRoutes,
    ...geoRoutes,
    ...classificationRoutes,
    ...thirdPartyRoutes(project),
    ...advertiserRoutes(project),
    ...contextualRoutes(project),
    ...states.routes,
    ...liftRoutes(definitionsById(lifted)),
    ...fileRoutes(project),
    ...partnerRoutes,
  ];
  const setting = settingsFrom({ page: () => project.config, overrides: {}, project: {}, report: () => undefined });
  const calls = routes.map(({ endpoint }) => listed(endpoint, setting));
  const clear = (): void => [events, requests, rejected, faults, people, amp, states].forEach((store) => store.clear());

  const app = new Hono<ApiEnv>();
  app.use(knownHosts(hosts));
  app.use(
    cors({
      // An echoed origin, for `*` does not go with credentials.
      origin: (origin) => ((allowed?.origins.includes(origin) ?? isLoopbackOrigin(origin)) ? origin : null),
      credentials: true,
      exposeHeaders: ['Retry-After'],
      maxAge: 600,
    }),
  );
  app.use(async (c, next) => {
    await next();
    c.header('cross-origin-resource-policy', 'cross-origin');
    c.header('cache-control', 'no-store');
  });
  app.use(smallBodies);
  app.route('/', controls({ events, requests, rejected, faults, clear, overview: overviewPage(calls) }));

  app.use(async (c, next) => {
    const entry = requests.add(await logged(c));
    const answer = await faulty(faults.take(entry.method, `${entry.path}${entry.query}`), c, next);
    const { status, headers } = answer ?? c.res;
    entry.status = headers.has('x-hono-already-sent') ? null : status;
    return answer;
  });
  for (const { endpoint, respond } of routes) {
    app.on(endpoint.method, patternOf(endpoint, setting), async (c) => {
      const text = await c.req.text();
      const answerHeaders = new Headers();
      const { searchParams: query } = new URL(c.req.url);
      const answer = respond(
        {
          bytes: Buffer.byteLength(text),
          params: paramsOf(endpoint, c),
          query,
          headers: c.req.raw.headers,
          address: addressOf(c),
          answerHeaders,
        },
        text,
      );
      return answerWith(endpoint.responseType, answer, answerHeaders);
    });
  }

  // Asked by the real-time configuration of AMP ads, so no call of the SDK.
  app.get('/amp/cohorts', (c) => c.json({ cohorts: amp.of(c.req.query('i') ?? '') }));

  const refuse = (c: Context<ApiEnv>, { status, message, faults: errors }: Refused, input: unknown): Response => {
    reject(`${c.req.method} ${c.req.path}`, { status, message, errors, input });
    return c.json(errorBody(status, message), status);
  };
  app.notFound((c) => refuse(c, new Refused(404, 'no such call'), null));
  app.onError(async (error, c) => {
    if (error instanceof Refused) return refuse(c, error, await c.req.text());
    if (!(error instanceof ConnectionBroken)) console.error(error);
    throw error;
  });
  return { app, calls };
};

const listed = (endpoint: Route['endpoint'], setting: Settings): Listed => ({
  method: endpoint.method,
  path: endpointPath(endpoint, setting),
  note: [endpoint.host, endpoint.credentials && 'with credentials'].filter(Boolean).join(', '),
});

/** The path as Hono writes it; a parameter with text after it becomes a pattern for the whole segment. */
const patternOf = (endpoint: Route['endpoint'], setting: Settings): string =>
  endpointPath(endpoint, setting).replace(
    /:(\w+)([^/\w][^/]*)/,
    (_, name: string, rest: string) => `:${name}{[^/]+${rest.replaceAll('.', '\\.')}}`,
  );

const paramsOf = ({ path }: Route['endpoint'], c: Context<ApiEnv>): Readonly<Record<string, string>> => {
  const rest = /:\w+([^/\w][^/]*)/.exec(path)?.[1] ?? '';
  return Object.fromEntries(
    Object.entries(c.req.param()).map(([name, value]: [string, string]) => [
      name,
      rest === '' ? value : value.slice(0, -rest.length),
    ]),
  );
};

const answerWith = (responseType: Route['endpoint']['responseType'], answer: unknown, headers: Headers): Response => {
  if (responseType === 'json') return Response.json(answer, { headers });
  if (responseType === 'binary') headers.set('content-type', 'application/octet-stream');
  return new Response((answer ?? '') as string | ArrayBuffer, { headers });
};

const logged = async (c: Context<ApiEnv>): Promise<LoggedRequest> => {
  const text = await c.req.text();
  const { search } = new URL(c.req.url);
  return {
    time: new Date().toISOString(),
    method: c.req.method,
    path: c.req.path,
    query: search,
    contentType: c.req.header('content-type') ?? null,
    cookie: c.req.header('cookie') !== undefined,
    origin: c.req.header('origin') ?? null,
    bytes: Buffer.byteLength(text),
    body: c.req.path.endsWith('/batch/events') ? null : text,
    status: null,
  };
};

const addressOf = (c: Context<ApiEnv>): string =>
  c.req.header('x-forwarded-for')?.split(',')[0]?.trim() ??
  (c.env as ApiEnv['Bindings'] | undefined)?.incoming?.socket.remoteAddress ??
  '127.0.0.1';
