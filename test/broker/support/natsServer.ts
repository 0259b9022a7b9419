import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fileOf } from '../../../command/programs/provide';
import { type Running, running } from './running';

/** A NATS server with JetStream, whose store outlives its process. */
export interface NatsServer {
  readonly url: string;
  /** Resolves when it takes connections. */
  readonly start: () => Promise<void>;
  /** Ends it at once: nothing is written any more. */
  readonly kill: () => Promise<void>;
  /** Holds it: connections stay open, and nothing is answered. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Ends it and removes its store. */
  readonly remove: () => Promise<void>;
}

/** A server on a port of its own. `settings`: further lines of its configuration. */
export const natsServer = async (settings = ''): Promise<NatsServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'nats-server-'));
  const file = join(folder, 'nats.conf');
  const address = `127.0.0.1:${await freePort()}`;
  writeFileSync(file, `listen: "${address}"\njetstream { store_dir: "${join(folder, 'store')}" }\n${settings}\n`);
  let server: Running | undefined;
  const kill = async (): Promise<void> => {
    await server?.end('SIGKILL');
    server = undefined;
  };
  return {
    url: `nats://${address}`,
    start: async () => {
      server = running(spawn(fileOf('nats-server'), ['-c', file]));
      await server.says(/Server is ready/);
    },
    kill,
    pause: () => void server?.process.kill('SIGSTOP'),
    resume: () => void server?.process.kill('SIGCONT'),
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
