import type { MiddlewareHandler } from 'hono';

import { isForeign, isLoopback } from './access';
import { errorBody } from './errorBody';
import type { ApiEnv } from './faulty';

/**
 * Refuses who is not on this machine: other names, other addresses, and pages of other origins. A website could
 * otherwise empty the data and set faults by a request that browsers send without asking.
 */
export const ownUse: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { hostname } = new URL(c.req.url);
  // Absent where the app is called in memory.
  const address = (c.env as ApiEnv['Bindings'] | undefined)?.incoming?.socket.remoteAddress;
  if (isForeign(c) || !isLoopback(hostname) || (address !== undefined && !isLoopback(address)))
    return c.json(errorBody(403, 'only for this machine'), 403);
  return next();
};
