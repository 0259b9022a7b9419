import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import { isLoopback } from '../../demo/api/access';
import type { Refusal } from '../protocol';

/** The header by which a call shows that it comes from the page whose address had the token. */
const tokenHeader = 'x-studio-token';
/** Visitors that are kept as examples are the largest bodies. */
const maxBody = 8 * 1024 * 1024;

const refuse = (c: Context, status: 400 | 403 | 413, message: string): Response =>
  c.json({ message } satisfies Refusal, status);

/** Both are hashed first, so that their lengths are the same and say nothing. */
const isSame = (a: string, b: string): boolean => {
  const [x, y] = [a, b].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(x, y);
};

/**
 * Refuses requests under a name that is not this machine's, as those of a website whose name leads here, and requests
 * of pages of another origin, another port of this machine among them. Every answer says that it is for this page.
 */
export const onlyThisMachine: MiddlewareHandler = async (c, next) => {
  const host = c.req.header('host') ?? '';
  const origin = c.req.header('origin');
  if (!isLoopback(hostnameOf(host))) return refuse(c, 403, 'Studio answers under the names of this machine only.');
  if (origin !== undefined && origin !== `http://${host}`)
    return refuse(c, 403, 'Studio answers to its own page only.');
  await next();
  c.header('x-content-type-options', 'nosniff');
  c.header('referrer-policy', 'no-referrer');
  c.header('cross-origin-resource-policy', 'same-origin');
  c.header('cross-origin-opener-policy', 'same-origin');
  c.header('x-frame-options', 'DENY');
  c.header('cache-control', 'no-store');
  c.header('content-security-policy', policy);
  return undefined;
};

const hostnameOf = (host: string): string => {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return '';
  }
};

/** The editor of the page writes its styles as elements. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Refuses calls without the token. A stream of events has it in its address, because it cannot have headers. */
export const withToken =
  (token: string): MiddlewareHandler =>
  async (c, next) => {
    const given = c.req.method === 'GET' ? c.req.query('token') : c.req.header(tokenHeader);
    return isSame(given ?? '', token)
      ? next()
      : refuse(c, 403, 'The token is missing or wrong. Open the address anew.');
  };

const smallBodies = bodyLimit({ maxSize: maxBody, onError: (c) => refuse(c, 413, 'The body is too large.') });

/** Refuses bodies that are too large or no JSON. */
export const jsonBodies: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'POST') return next();
  return /^application\/json\b/.test(c.req.header('content-type') ?? '')
    ? smallBodies(c, next)
    : refuse(c, 400, 'A call has a body in JSON.');
};
