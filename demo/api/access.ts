import type { Context, Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';

import { errorBody } from './errorBody';
import type { ApiEnv } from './faulty';

/** Who may ask an API. */
export interface Access {
  /** Which origins may read the answers. Default: those of this machine. */
  readonly origins?: readonly string[] | undefined;
  /** Names under which it answers besides those of this machine. */
  readonly hosts?: readonly string[];
}

/**
 * Lets an app answer under known names, to known origins, and to bodies of a size that the SDK sends. Where no origins
 * are given, the app is this machine's own, and takes nothing from pages of other sites.
 */
export const limitAccess = (app: Hono<ApiEnv>, { origins, hosts = [] }: Access): void => {
  app.use(knownHosts(hosts));
  app.use(
    cors({
      // An echoed origin, for `*` does not go with credentials.
      origin: (origin) => ((origins?.includes(origin) ?? isLoopbackOrigin(origin)) ? origin : null),
      credentials: true,
      exposeHeaders: ['Retry-After'],
      maxAge: 600,
    }),
  );
  if (origins === undefined)
    app.use(async (c, next) => (isForeign(c) ? c.json(errorBody(403, 'only for pages of this machine'), 403) : next()));
  app.use(async (c, next) => {
    await next();
    c.header('cross-origin-resource-policy', 'cross-origin');
    c.header('cache-control', 'no-store');
  });
  app.use(smallBodies);
};

/** Names and addresses of this machine. */
const loopback = /^(?:(?:[\w-]+\.)*localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|\[::1\]|::1)$/;

/** Whether it is a name or an address of this machine. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/** Whether pages of this machine have the origin. */
export const isLoopbackOrigin = (origin: string): boolean => {
  try {
    return isLoopback(new URL(origin).hostname);
  } catch {
    return false;
  }
};

/**
 * Whether a page asks that is not of this machine: by its origin or, where it has none to tell, as one of another site.
 * Browsers send some requests of foreign pages without asking first. Links from anywhere may be followed, because the
 * page that has them cannot read what they lead to.
 */
export const isForeign = ({ req }: Pick<Context, 'req'>): boolean => {
  const [origin, site] = [req.header('origin'), req.header('sec-fetch-site')];
  // A page that wants no referrer tells no origin of its beacons.
  const isUntold = origin === undefined || (origin === 'null' && site !== undefined);
  const isFollowed = req.method === 'GET' && req.header('sec-fetch-dest') === 'document';
  return isUntold ? site === 'cross-site' && !isFollowed : !isLoopbackOrigin(origin);
};

/**
 * Refuses requests under a name that is neither this machine's nor among `hosts`: a website whose name leads to this
 * machine could otherwise read everything.
 */
const knownHosts =
  (hosts: readonly string[]): MiddlewareHandler =>
  async (c, next) => {
    const { hostname } = new URL(c.req.url);
    if (!isLoopback(hostname) && !hosts.includes(hostname)) return c.json(errorBody(403, 'unknown host'), 403);
    return next();
  };

/** Refuses bodies of more than 1 MB, twenty times what the SDK sends. */
const smallBodies = bodyLimit({
  maxSize: 1024 * 1024,
  onError: (c) => c.json(errorBody(413, 'body too large'), 413),
});
