import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import { errorBody } from './errorBody';

/** Names of this machine. */
const loopback = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether pages of this machine have the origin. */
export const isLoopbackOrigin = (origin: string): boolean => {
  try {
    return loopback.test(new URL(origin).hostname);
  } catch {
    return false;
  }
};

/**
 * Refuses requests under a name that is neither this machine's nor among `hosts`: a website whose name leads to this
 * machine could otherwise read everything.
 */
export const knownHosts =
  (hosts: readonly string[]): MiddlewareHandler =>
  async (c, next) => {
    const { hostname } = new URL(c.req.url);
    if (!loopback.test(hostname) && !hosts.includes(hostname)) return c.json(errorBody(403, 'unknown host'), 403);
    return next();
  };

/** Refuses bodies of more than 1 MB, twenty times what the SDK sends. */
export const smallBodies = bodyLimit({
  maxSize: 1024 * 1024,
  onError: (c) => c.json(errorBody(413, 'body too large'), 413),
});
