import { type Context, Hono } from 'hono';

import { json } from '../../src/hardening/plainJson';
import { limitAccess } from './access';
import { ampCohortsOfVisitors } from './amp';
import type { ApiProject } from './apiProject';
import { controls } from './controls';
import { definitionsById } from './definitions';
import { errorBody } from './errorBody';
import { eventLog } from './eventLog';
import { eventRoutes, noneRefused } from './events';
import { faults as faultSwitches } from './faults';
import { type ApiEnv, ConnectionBroken, faulty } from './faulty';
import { identities } from './identities';
import { joinCellsOf } from './joinCells';
import { journal, type LoggedRequest, type Rejected } from './journal';
import { apiSettings, listedRoutes, mountRoutes } from './mountRoutes';
import { type Listed, overviewPage } from './overview';
import { Refused, type Route } from './served';
import { statelessRoutes, withRules } from './statelessRoutes';
import { stateSyncService } from './stateSync';

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
  const project = withRules(given);
  const events = eventLog(dataDir);
  const requests = journal<LoggedRequest>(({ body }) => body?.length ?? 0);
  const rejected = journal<Rejected>(({ input }) => json.stringify(input).length);
  const faults = faultSwitches();
  const people = identities();
  const amp = ampCohortsOfVisitors();
  const { queries, lifted = [] } = project;
  const states = stateSyncService(joinCellsOf(definitionsById([...queries, ...lifted])));

  const reject = (call: string, refused: Pick<Rejected, 'status' | 'message' | 'errors' | 'input'>): void => {
    rejected.add({ time: new Date().toISOString(), call, ...refused });
  };
  const routes: readonly Route[] = [
    ...eventRoutes(
      (accepted) => {
        events.add(accepted);
        return noneRefused;
      },
      ({ status, message, faults: errors }, input) => reject('POST batch/events', { status, message, errors, input }),
    ),
    ...people.routes,
    ...amp.routes,
    ...states.routes,
    ...statelessRoutes(project),
  ];
  const setting = apiSettings(project.config);
  const calls = listedRoutes(routes, setting);
  const clear = (): void => [events, requests, rejected, faults, people, amp, states].forEach((store) => store.clear());
  /** Requests that get an answer. */
  const underWay = new Set<Context<ApiEnv>>();

  const app = new Hono<ApiEnv>();
  limitAccess(app, { origins: allowed?.origins, hosts });
  const overview = overviewPage(calls);
  app.route('/', controls({ events, requests, rejected, faults, underWay: () => underWay.size, clear, overview }));

  app.use(async (c, next) => {
    underWay.add(c);
    await next().finally(() => underWay.delete(c));
  });
  app.use(async (c, next) => {
    const entry = requests.add(await logged(c));
    const action = faults.take(entry.method, `${entry.path}${entry.query}`);
    if (action !== undefined && 'hang' in action) underWay.delete(c);
    const answer = await faulty(action, c, next);
    const { status, headers } = answer ?? c.res;
    entry.status = headers.has('x-hono-already-sent') ? null : status;
    return answer;
  });
  mountRoutes(app, routes, setting);

  // Asked by the real-time configuration of AMP ads, so no call of the SDK.
  app.get('/amp/cohorts', (c) => c.json({ cohorts: amp.of(c.req.query('i') ?? '') }));

  const refuse = (c: Context<ApiEnv>, { status, message, faults: errors }: Refused, input: unknown): Response => {
    reject(`${c.req.method} ${c.req.path}`, { status, message, errors, input });
    return c.json(errorBody(status, message), status);
  };
  app.notFound((c) => refuse(c, new Refused(404, 'no such call'), null));
  app.onError(async (error, c) => {
    if (error instanceof Refused) return refuse(c, error, await c.req.text());
    // Where the app is called in memory, a broken connection is an error of the call.
    if (error instanceof ConnectionBroken) throw error;
    console.error(error);
    return c.json(errorBody(500, 'internal error'), 500);
  });
  return { app, calls };
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
