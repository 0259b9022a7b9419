import { Hono } from 'hono';

import { type Access, limitAccess } from './access';
import type { ApiProject } from './apiProject';
import { errorBody } from './errorBody';
import { eventRoutes, type KeepEvents } from './events';
import type { ApiEnv } from './faulty';
import { apiSettings, listedRoutes, mountRoutes } from './mountRoutes';
import type { Listed } from './overview';
import { Refused, Unavailable } from './served';
import { statelessRoutes, withRules } from './statelessRoutes';

/** Seconds after which a batch is to be sent again: a broker restarts within a few. */
const retryAfterSeconds = 5;

export interface CollectorOptions {
  readonly project: ApiProject;
  readonly access?: Access;
  /** Keeps the events; the collector itself keeps nothing. */
  readonly keep: KeepEvents;
  /** Whether events would be kept now. */
  readonly isReady: () => Promise<boolean>;
}

export interface Collector {
  readonly app: Hono<ApiEnv>;
  /** The calls that it answers. */
  readonly calls: readonly Listed[];
}

/**
 * The calls of the SDK that need no memory, for many processes behind one address. `identify`, state sync and AMP
 * cohorts are not among them, because they answer with what earlier requests have brought. `GET /ready` is for load
 * balancers: 204, or 503 while events would not be kept.
 */
export const createCollector = ({ project: given, access = {}, keep, isReady }: CollectorOptions): Collector => {
  const project = withRules(given);
  const setting = apiSettings(project.config);
  // A refused event is answered to its sender, and not kept.
  const routes = [...eventRoutes(keep, () => undefined), ...statelessRoutes(project)];

  const app = new Hono<ApiEnv>();
  limitAccess(app, access);
  app.get('/ready', async (c) => c.body(null, (await isReady()) ? 204 : 503));
  mountRoutes(app, routes, setting);
  app.notFound((c) => c.json(errorBody(404, 'no such call'), 404));
  app.onError((error, c) => {
    if (error instanceof Refused) return c.json(errorBody(error.status, error.message), error.status);
    if (error instanceof Unavailable)
      return c.json(errorBody(503, error.message), 503, { 'retry-after': String(retryAfterSeconds) });
    console.error(error);
    return c.json(errorBody(500, 'internal error'), 500);
  });
  return {
    app,
    calls: [...listedRoutes(routes, setting), { method: 'GET', path: '/ready', note: 'for load balancers' }],
  };
};
