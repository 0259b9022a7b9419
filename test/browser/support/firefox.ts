import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, firefox, type Page } from 'playwright-core';

import { canInstall, installPackages } from '../../support/installPackages';

const usualPlaces = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

const installed = (): string | undefined =>
  [process.env['FIREFOX_PATH'] ?? '', ...usualPlaces].find((path) => path !== '' && existsSync(path));

/** The oldest Firefox that knows the commands of WebDriver BiDi with which Playwright starts. */
const oldest = 153;

const versionOf = (path: string): number =>
  Number(/ (\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1]);

/** Installs Debian's Firefox where there is none, or only one that Playwright cannot drive. */
export const ensureFirefox = (): void => {
  const path = installed();
  if ((path === undefined || versionOf(path) < oldest) && canInstall()) installPackages(['firefox-esr']);
};

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
      this.emit(method, params);
      body = null;
    };
    const told = tell().finally(() => {
      if (waiting.get(this) === told) waiting.delete(this);
    });
    waiting.set(this, told);
  };
  await context.close();
};

/** The Firefox that people use, driven by WebDriver BiDi: nothing in it is changed for tests. */
export const launchFirefox = async (): Promise<Browser> => {
  const executablePath = installed();
  if (executablePath === undefined)
    throw new Error('These tests need Firefox, and installing it has failed. Install it and set FIREFOX_PATH.');
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath });
  const { _browserSession: session } = (browser as unknown as Inside)._connection.toImpl(browser);
  forgiveColourScheme(prototypeOf(session));
  await askForBodies(browser, session);
  return browser;
};
