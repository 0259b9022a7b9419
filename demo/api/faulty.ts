import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Next } from 'hono';

import type { Action } from './faults';

/** The Node request behind a call; absent where the app is called in memory. */
export interface ApiEnv {
  Bindings: Partial<HttpBindings>;
}

/** There is no answer. Where there is no socket to break, this error takes its place. */
export class ConnectionBroken extends Error {
  override readonly name = 'ConnectionBroken';
}

/** Does to a call what a fault switch says; `next` is the call itself. */
export const faulty = async (
  action: Action | undefined,
  c: Context<ApiEnv>,
  next: Next,
): Promise<Response | undefined> => {
  if (action === undefined) {
    await next();
    return undefined;
  }
  if ('delayMs' in action) {
    await sleep(action.delayMs);
    await next();
    return undefined;
  }
  if ('hang' in action) {
    await goneAway(c.req.raw.signal);
    return breakOff(c);
  }
  if ('reset' in action) return breakOff(c);
  if ('status' in action) return statusAnswer(action);
  await next();
  if ('ignoreAnswer' in action) c.res = breakOff(c);
  else c.res = new Response(cutOff(await c.res.text()), c.res);
  return undefined;
};

const statusAnswer = ({ status, body = '', headers = {} }: Extract<Action, { status: number }>): Response =>
  typeof body === 'string' ? new Response(body, { status, headers }) : Response.json(body, { status, headers });

const goneAway = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const breakOff = (c: Context<ApiEnv>): Response => {
  // The types promise an env that calls in memory do not have.
  const socket = (c.env as ApiEnv['Bindings'] | undefined)?.incoming?.socket;
  if (socket === undefined) throw new ConnectionBroken();
  socket.destroy();
  return new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
};

const cutOff = (text: string): string => (text === '' ? '{"' : text.slice(0, Math.ceil(text.length / 2)));
