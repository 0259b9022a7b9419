import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, firefox, type Page } from 'playwright-core';

import { fileOf } from '../../../command/programs/provide';
import { killChildren } from './processes';
import type { ProfiledBrowser } from './profiledBrowser';

interface Message {
  readonly method?: string;
  readonly params: { readonly request?: { readonly request: string; readonly method: string } };
}
interface BidiSession {
  send: (method: string, params: unknown) => Promise<unknown>;
  dispatchMessage: (message: Message) => void;
  emit: (method: string, params: unknown) => void;
}
interface FrameManager {
  requestStarted: (request: { _postData: Buffer | null }, route: unknown) => void;
}
/** The parts of Playwright behind its public objects that are changed below. */
interface Inside {
  readonly _connection: {
    readonly toImpl: ((of: Browser) => { readonly _browserSession: BidiSession }) &
      ((of: Page) => { readonly frameManager: FrameManager });
  };
}
const prototypeOf = <A extends object>(object: A): A => Object.getPrototypeOf(object) as A;

/**
 * Playwright asks for a colour scheme with a command that Firefox 153 does not know yet, and takes no for a failure.
 */
const forgiveColourScheme = (sessions: BidiSession): void => {
  const { send } = sessions;
  sessions.send = function (this: BidiSession, method, params) {
    return method === 'emulation.setMediaFeaturesOverride' ? Promise.resolve({}) : send.call(this, method, params);
  };
};

interface Preload {
  readonly functionDeclaration: string;
}
/**
 * A new tab of Firefox shows an empty page before it shows the site's, and runs the tests' scripts there too. That page
 * has no storage: a script that asks for it would fail, and not for a fault of the SDK.
 */
const spareEmptyPages = (sessions: BidiSession): void => {
  const { send } = sessions;
  sessions.send = function (this: BidiSession, method, params) {
    if (method !== 'script.addPreloadScript') return send.call(this, method, params);
    const { functionDeclaration } = params as Preload;
    const onlyOnSites = `(...args) => {
      if (document.URL !== 'about:blank' || window !== top) (${functionDeclaration})(...args);
    }`;
    return send.call(this, method, { ...(params as Preload), functionDeclaration: onlyOnSites });
  };
};

interface Data {
  readonly bytes: { readonly type: 'string' | 'base64'; readonly value: string };
}

/**
 * Gives requests their bodies, which Playwright does not ask for. Firefox tells the body of a request by an answer of
 * its own, so the session's later events wait until it has come.
 */
const askForBodies = async (browser: Browser, session: BidiSession): Promise<void> => {
  await session.send('network.addDataCollector', { dataTypes: ['request'], maxEncodedDataSize: 20_000_000 });
  const context = await browser.newContext();
  const { frameManager } = (browser as unknown as Inside)._connection.toImpl(await context.newPage());
  let body: Buffer | null = null;
  const frames = prototypeOf(frameManager);
  const { requestStarted } = frames;
  frames.requestStarted = function (this: FrameManager, request, route) {
    request._postData ??= body;
    requestStarted.call(this, request, route);
  };
  const sessions = prototypeOf(session);
  const { dispatchMessage } = sessions;
  const waiting = new WeakMap<BidiSession, Promise<void>>();
  const bodyOf = async (from: BidiSession, request: string): Promise<Buffer | null> => {
    try {
      const { bytes } = (await from.send('network.getData', { dataType: 'request', request })) as Data;
      return Buffer.from(bytes.value, bytes.type === 'base64' ? 'base64' : 'utf8');
    } catch {
      // It has none.
      return null;
    }
  };
  sessions.dispatchMessage = function (this: BidiSession, message) {
    const { method, params } = message;
    const before = waiting.get(this);
    const hasBody = method === 'network.beforeRequestSent' && params.request?.method === 'POST';
    if (method === undefined || (before === undefined && !hasBody)) return dispatchMessage.call(this, message);
    const tell = async (): Promise<void> => {
      await before;
      if (hasBody) body = await bodyOf(this, params.request.request);
      try {
        this.emit(method, params);
      } catch {
        // Another session, which has not waited, has told Playwright by now that the frame or the page is gone.
      }
      body = null;
    };
    const told = tell().finally(() => {
      if (waiting.get(this) === told) waiting.delete(this);
    });
    waiting.set(this, told);
  };
  await context.close();
};

/** Starts the Firefox that is installed, and writes down which process it is. */
const script = resolve('test/browser/support/firefox.sh');

const options = (pidFile: string) => {
  const env = {
    ...(process.env as Record<string, string>),
    TESTED_FIREFOX: fileOf('firefox'),
    TESTED_FIREFOX_PID: pidFile,
  };
  return { channel: 'moz-firefox', executablePath: script, env };
};
const pidIn = (pidFile: string): number => Number(readFileSync(pidFile, 'utf8'));

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'permutive-firefox-'));
const remove = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/** WebDriver BiDi tells of an error on the console without its message, so the console is given the words. */
const errorsInWords = (): void => {
  const { warn } = console;
  console.warn = (...args: readonly unknown[]) =>
    warn.apply(
      console,
      args.map((arg) => (arg instanceof Error ? String(arg) : arg)),
    );
};
const withWords = (browser: Browser): Browser => {
  const newContext = browser.newContext.bind(browser);
  return Object.assign(browser, {
    newContext: async (options: BrowserContextOptions) => {
      const context = await newContext(options);
      await context.addInitScript(errorsInWords);
      return context;
    },
  });
};

const pids = new WeakMap<Browser, number>();

/** The Firefox that people use, driven by WebDriver BiDi: nothing in it is changed for tests. */
export const launchFirefox = async (): Promise<Browser> => {
  const folder = newFolder();
  const browser = await firefox.launch(options(join(folder, 'pid')));
  pids.set(browser, pidIn(join(folder, 'pid')));
  remove(folder);
  const { _browserSession: session } = (browser as unknown as Inside)._connection.toImpl(browser);
  forgiveColourScheme(prototypeOf(session));
  spareEmptyPages(prototypeOf(session));
  await askForBodies(browser, session);
  return withWords(browser);
};

/** The processes of all pages of this Firefox die without a word: which page is in which, Firefox does not tell. */
export const crashPages = async (browser: Browser | null): Promise<void> => {
  const pid = (browser && pids.get(browser)) ?? 0;
  await killChildren(pid, / tab$/);
};

/** A Firefox with a profile on disk, and with these settings beside the driver's. */
export const ownFirefox = (firefoxUserPrefs: Readonly<Record<string, number>> = {}): ProfiledBrowser => {
  const profile = newFolder();
  const pidFile = join(profile, 'pid');
  let running: BrowserContext | undefined;
  const kill = async (): Promise<void> => {
    const context = running;
    running = undefined;
    if (context === undefined) return;
    const ended = new Promise((resolve) => context.once('close', resolve));
    process.kill(-pidIn(pidFile), 'SIGKILL');
    await ended;
  };
  return {
    start: async () =>
      (running = await firefox.launchPersistentContext(profile, { ...options(pidFile), firefoxUserPrefs })),
    kill,
    remove: async () => {
      await kill();
      remove(profile);
    },
  };
};
