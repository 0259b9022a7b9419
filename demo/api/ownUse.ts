import type { MiddlewareHandler } from 'hono';

import { isLoopback, isLoopbackOrigin } from './access';
import { errorBody } from './errorBody';
import type { ApiEnv } from './faulty';

/**
 * Refuses who is not on this machine: other names, other addresses, and pages of other origins. A website could
 * otherwise empty the data and set faults by a request that browsers send without asking. Links from anywhere may be
 * followed, because the page that has them cannot read what they lead to.
 */
export const ownUse: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { hostname } = new URL(c.req.url);
  // Absent where the app is called in memory.
  const address = (c.env as ApiEnv['Bindings'] | undefined)?.incoming?.socket.remoteAddress;
  const origin = c.req.header('origin');
  const isFollowed = c.req.method === 'GET' && c.req.header('sec-fetch-dest') === 'document';
  const isForeign =
    origin === undefined ? c.req.header('sec-fetch-site') === 'cross-site' && !isFollowed : !isLoopbackOrigin(origin);
  if (isForeign || !isLoopback(hostname) || (address !== undefined && !isLoopback(address)))
    return c.json(errorBody(403, 'only for this machine'), 403);
  return next();
};
