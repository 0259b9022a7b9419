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

interface App {
  readonly fetch: Parameters<typeof serve>[0]['fetch'];
}

const stopMs = 10_000;

/** The addresses of this machine itself. Browsers try either for `localhost`. */
const loopbacks = ['127.0.0.1', '::1'] as const;

/**
 * Puts an API on a port; port 0 is any free one. Without a host name it is for this machine alone, and takes the port
 * on both addresses that `localhost` may mean: another account could otherwise listen on the second one, and be
 * given what is meant for the API.
 */
export const listen = async (app: App, port: number, hostname?: string): Promise<Listening> => {
  if (hostname !== undefined) return listening(await serverOn(app, port, hostname));
  const first = await serverOn(app, port, loopbacks[0]);
  try {
    return listening(first, await serverOn(app, portOf(first), loopbacks[1]));
  } catch (error) {
    // A machine without that address has nobody on it.
    if (isWithoutAddress(error)) return listening(first);
    await close(first);
    // Any other port will do where any was asked for.
    if (port === 0) return listen(app, port);
    throw error;
  }
};

const isWithoutAddress = (error: unknown): boolean =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '');

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const listening = (...servers: readonly [Server, Server?]): Listening => {
  const all = servers.filter((server) => server !== undefined);
  return {
    port: portOf(servers[0]),
    close: async () => void (await Promise.all(all.map(close))),
    stop: async () => void (await Promise.all(all.map(stop))),
  };
};

const serverOn = ({ fetch }: App, port: number, hostname: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname }, () => resolve(server)) as Server;
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
