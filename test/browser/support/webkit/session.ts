import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

import { killChildren } from '../processes';
import { until } from '../until';

/** One WebKit, driven by plain WebDriver. Commands run one after the other, each in the window that it is for. */
export interface Session {
  /** A command for the window, for a frame in it (`inFrame`), or for the browser as a whole. */
  readonly command: <A>(method: string, path: string, body?: object, window?: string) => Promise<A>;
  readonly end: () => Promise<void>;
  /** SIGKILL to all of its processes. */
  readonly kill: () => void;
  /** The processes of all pages die without a word, and WebKitWebDriver gives the session up. */
  readonly crashPages: () => Promise<void>;
}

/** The key by which WebDriver tells elements. */
export const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** An element of a page, as WebDriver names it. */
export type ElementReference = Readonly<Record<typeof elementKey, string>>;

/** The name by which commands go to the document of a frame's element. */
export const inFrame = (window: string, element: string): string => `${window}#${element}`;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });

/** Starts the driver in a group of processes of its own. `pid`: of the group. */
const startDriver = async (): Promise<{ readonly address: string; readonly pid: number }> => {
  const port = await freePort();
  const { pid } = spawn('xvfb-run', ['-a', 'WebKitWebDriver', `--port=${port}`], {
    detached: true,
    stdio: 'ignore',
    // WebKit has no sandbox as root.
    env: { ...process.env, ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }) },
  });
  if (pid === undefined) throw new Error('xvfb-run could not be started');
  const address = `http://127.0.0.1:${port}`;
  const answers = (): Promise<boolean> =>
    fetch(`${address}/status`).then(
      () => true,
      () => false,
    );
  await until(async () => (await answers()) || undefined, 'WebKitWebDriver');
  return { address, pid };
};

/** Options of `host.py`. */
export interface HostOptions {
  readonly proxyPort: number;
  /** Folder for what sites store. */
  readonly profile: string;
  readonly refusesStorage: boolean;
}

export const startSession = async ({ proxyPort, profile, refusesStorage }: HostOptions): Promise<Session> => {
  const { address, pid } = await startDriver();
  const send = async <A>(method: string, path: string, body?: object): Promise<A> => {
    const answer = await fetch(address + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await answer.json()) as { readonly value: A & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const args = [
    `--proxy=http://127.0.0.1:${proxyPort}`,
    `--profile=${profile}`,
    ...(refusesStorage ? ['--refuse-storage'] : []),
  ];
  const browserOptions = { binary: resolve(__dirname, 'host.py'), args };
  const capabilities = { alwaysMatch: { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': browserOptions } };
  const { sessionId } = await send<{ readonly sessionId: string }>('POST', '/session', { capabilities });
  const path = `/session/${sessionId}`;
  // The first window stays open. Commands for the browser as a whole need a window too.
  const first = await send<string>('GET', `${path}/window`);
  let queue: Promise<unknown> = Promise.resolve();
  let current = first;
  return {
    command: <A>(method: string, rest: string, body?: object, window = first) => {
      const run = async (): Promise<A> => {
        const [handle, ...frames] = window.split('#');
        // A page that goes on leaves its frames behind, so they are entered anew each time.
        if (window !== current || frames.length > 0) {
          current = '';
          await send('POST', `${path}/window`, { handle });
          await send('POST', `${path}/frame`, { id: null });
          for (const frame of frames) await send('POST', `${path}/frame`, { id: { [elementKey]: frame } });
          current = window;
        }
        return send<A>(method, path + rest, body);
      };
      const result = queue.then(run, run);
      queue = result.catch(() => undefined);
      return result;
    },
    end: async () => {
      await send('DELETE', path).catch(() => undefined);
      process.kill(-pid);
    },
    kill: () => void process.kill(-pid, 'SIGKILL'),
    crashPages: () => killChildren(pid, /WebKitWebProcess/),
  };
};
