import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

import { canInstall, installPackages } from '../../../support/installPackages';
import { until } from '../until';
import { namedLacks } from './namedLacks';
import { webkitPage } from './page';
import { type Fate, type ProxiedRequest, type Said, startProxy } from './proxy';
import { decided, type Handler, matches, type Pattern, seenRequest } from './routes';
import { startSession } from './session';

/** Installs WebKit and its driver where they are missing. */
export const ensureWebkit = (): void => {
  if (!canInstall()) return;
  installPackages([
    ...(existsSync('/usr/bin/WebKitWebDriver') ? [] : ['webkit2gtk-driver']),
    ...(existsSync('/usr/bin/xvfb-run') ? [] : ['xvfb', 'xauth']),
  ]);
};

interface Cookie {
  readonly name: string;
  readonly expiry?: number;
}

/** What a visitor's pages say, as Playwright tells it. */
const tell = (events: EventEmitter, { type, text, url }: Said): void => {
  if (type === 'uncaught') events.emit('weberror', { error: () => new Error(text) });
  else events.emit('console', { type: () => type, text: () => text, location: () => ({ url }) });
};

const scriptOf = (script: string | (() => unknown) | { readonly content: string }, given: unknown): string => {
  if (typeof script === 'object') return script.content;
  return typeof script === 'string'
    ? script
    : `(${script.toString()})(${given === undefined ? '' : JSON.stringify(given)})`;
};

/** A WebKit of its own with empty storage, and a proxy that all its requests go through. */
const newContext = async () => {
  const events = new EventEmitter().setMaxListeners(0);
  const routes: (readonly [pattern: Pattern, handler: Handler])[] = [];
  const scripts: string[] = [];
  let isOffline = false;
  const decide = async (request: ProxiedRequest): Promise<Fate> => {
    if (isOffline) return 'abort';
    const route = [...routes].reverse().find(([pattern]) => matches(pattern, request.url));
    return route ? decided(route[1], request) : 'continue';
  };
  const saw = (request: ProxiedRequest): void => void events.emit('request', seenRequest(request));
  const proxy = await startProxy({ decide, saw, said: (what) => tell(events, what), scripts: () => scripts });
  const session = await startSession(proxy.port);
  const shared = {
    route: (pattern: Pattern, handler: Handler) => Promise.resolve(void routes.push([pattern, handler])),
    unroute: (pattern: Pattern) => {
      const kept = routes.filter(([known]) => String(known) !== String(pattern));
      routes.splice(0, routes.length, ...kept);
      return Promise.resolve();
    },
    addInitScript: (script: Parameters<typeof scriptOf>[0], given?: unknown) =>
      Promise.resolve(void scripts.push(scriptOf(script, given))),
    waitForRequest: async (pattern: Pattern) => {
      let found: ReturnType<typeof seenRequest> | undefined;
      events.on('request', (request: ReturnType<typeof seenRequest>) => {
        if (matches(pattern, request.url())) found ??= request;
      });
      return until(() => found, `a request for ${String(pattern)}`, 30_000);
    },
  };
  let isClosed = false;
  return namedLacks('context', {
    ...shared,
    on: (name: string, listener: (what: unknown) => void) => void events.on(name, listener),
    newPage: async () => {
      // The first window stays, because a driver without windows ends.
      const { handle } = await session.command<{ readonly handle: string }>('POST', '/window/new', { type: 'window' });
      return webkitPage(session, handle, shared);
    },
    cookies: async () => {
      const [window] = (await session.command<readonly string[]>('GET', '/window/handles')).slice(-1);
      const found = await session.command<readonly Cookie[]>('GET', '/cookie', undefined, window);
      return found.map((cookie) => ({ ...cookie, expires: cookie.expiry ?? -1 }));
    },
    setOffline: (offline: boolean) => {
      isOffline = offline;
      return Promise.resolve();
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await session.end();
      proxy.close();
    },
  });
};

/** WebKit in the shape that Playwright gives to browsers; each context is a process of its own. */
export const launchWebkit = (): Promise<Browser> =>
  Promise.resolve(namedLacks('browser', { newContext, close: () => Promise.resolve() }) as unknown as Browser);
