import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';

export interface Listening {
  readonly port: number;
  /** Ends all connections, those that hang too. */
  readonly close: () => Promise<void>;
  /** Takes no more connections, and ends each of them once its request is answered; all of them after 10 s. */
  readonly stop: () => Promise<void>;
}

const stopMs = 10_000;

/** Puts an API on a port of this machine; port 0 is any free one. */
export const listen = (
  app: { readonly fetch: Parameters<typeof serve>[0]['fetch'] },
  port: number,
  hostname = '127.0.0.1',
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname }, (info: AddressInfo) =>
      resolve({ port: info.port, close: () => close(server), stop: () => stop(server) }),
    ) as Server;
    // Longer than browsers keep an idle connection: one that closes under a request looks like a fault.
    server.keepAliveTimeout = 120_000;
    server.once('error', reject);
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const asked = setInterval(() => server.closeIdleConnections(), 50);
    const hanging = setTimeout(() => server.closeAllConnections(), stopMs);
    server.close(() => {
      clearInterval(asked);
      clearTimeout(hanging);
      resolve();
    });
  });
