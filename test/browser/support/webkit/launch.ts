import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';

import { pause } from '../pause';
import type { ProfiledBrowser } from '../profiledBrowser';
import { until } from '../until';
import { namedLacks } from './namedLacks';
import { webkitPage } from './page';
import { blankPath, type Fate, type ProxiedRequest, startProxy, telling } from './proxy';
import { decided, type Handler, matches, type Pattern, seenRequest } from './routes';
import { emitSaid, type Said } from './said';
import { type Session, startSession } from './session';

interface Cookie {
  readonly name: string;
  readonly expiry?: number;
}
interface Size {
  readonly width: number;
  readonly height: number;
}
interface NewCookie {
  readonly name: string;
  readonly value: string;
  readonly url: string;
}
/** What the pages of this driver have beside those of Playwright. */
export interface WebkitPage {
  /** The processes of all pages of the context die without a word. */
  readonly crash: () => Promise<void>;
  /** Resolves once the context has heard all that the page has said so far. */
  readonly heard: () => Promise<void>;
}
interface Media {
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce' | 'no-preference';
}
type Seen = ReturnType<typeof seenRequest>;
interface Routed {
  readonly pattern: Pattern;
  readonly handler: Handler;
  /** Of how many requests it still decides. */
  left: number;
}

const scriptOf = (script: string | (() => unknown) | { readonly content: string }, given: unknown): string => {
  if (typeof script === 'object') return script.content;
  return typeof script === 'string'
    ? script
    : `(${script.toString()})(${given === undefined ? '' : JSON.stringify(given)})`;
};

const newProfile = (): string => {
  const profile = mkdtempSync(join(tmpdir(), 'permutive-webkit-'));
  writeFileSync(join(profile, 'wishes'), '');
  return profile;
};
const removeProfile = (profile: string): void =>
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/** A WebKit of its own, and a proxy that all its requests go through. */
const startContext = async (profile: string, refusesStorage: boolean, viewport?: Size) => {
  const events = new EventEmitter().setMaxListeners(0);
  let routes: readonly Routed[] = [];
  const scripts: string[] = [];
  const exposed = new Map<string, (...args: readonly unknown[]) => unknown>();
  const pages: ReturnType<typeof webkitPage>[] = [];
  let isOffline = false;
  const decide = async (request: ProxiedRequest): Promise<Exclude<Fate, 'fallback'>> => {
    if (isOffline) return 'abort';
    for (const route of [...routes].reverse()) {
      if (route.left === 0 || !matches(route.pattern, request.url)) continue;
      route.left -= 1;
      const fate = await decided(route.handler, request);
      if (fate !== 'fallback') return fate;
    }
    return 'continue';
  };
  const hear = (what: Said): void => {
    if (what.type !== 'call') return emitSaid(events, what);
    const [name, args] = JSON.parse(what.text) as readonly [string, readonly unknown[]];
    exposed.get(name)?.(...args);
  };
  const saw = (request: ProxiedRequest): void => void events.emit('request', seenRequest(request));
  const proxy = await startProxy({ decide, saw, said: hear, scripts: () => scripts });
  const start = (): Promise<Session> => startSession({ proxyPort: proxy.port, profile, refusesStorage });
  let session = await start();
  const crash = async (): Promise<void> => {
    await session.crashPages();
    await pause(1000, 'the process that stores outlives a page, and writes what it has received');
    await session.end();
    for (const page of [...pages]) page.left();
    session = await start();
  };
  const shared = {
    crash,
    emulateMedia: ({ colorScheme = 'light', reducedMotion = 'no-preference' }: Media) =>
      writeFile(join(profile, 'wishes'), `${colorScheme} ${reducedMotion}`),
    route: (pattern: Pattern, handler: Handler, { times = Infinity }: { readonly times?: number } = {}) => {
      routes = [...routes, { pattern, handler, left: times }];
      return Promise.resolve();
    },
    unroute: (pattern: Pattern) => {
      routes = routes.filter((route) => route.pattern !== pattern);
      return Promise.resolve();
    },
    unrouteAll: () => {
      routes = [];
      return Promise.resolve();
    },
    addInitScript: (script: Parameters<typeof scriptOf>[0], given?: unknown) =>
      Promise.resolve(void scripts.push(scriptOf(script, given))),
    waitForRequest: async (wanted: Pattern | ((request: Seen) => boolean)) => {
      let found: Seen | undefined;
      events.on('request', (request: Seen) => {
        const isWanted =
          typeof wanted === 'function'
            ? (wanted as (request: Seen) => boolean)(request)
            : matches(wanted, request.url());
        if (isWanted) found ??= request;
      });
      return until(() => found, `a request for ${String(wanted)}`, 30_000);
    },
  };
  let isClosed = false;
  return namedLacks('context', {
    ...shared,
    on: (name: string, listener: (what: unknown) => void) => void events.on(name, listener),
    once: (name: string, listener: (what: unknown) => void) => void events.once(name, listener),
    pages: () => pages,
    exposeFunction: (name: string, action: (...args: readonly unknown[]) => unknown) => {
      exposed.set(name, action);
      scripts.push(telling(name));
      return Promise.resolve();
    },
    newPage: async () => {
      // The first window stays, because a driver without windows ends.
      const { handle } = await session.command<{ readonly handle: string }>('POST', '/window/new', { type: 'window' });
      const page = webkitPage(session, handle, shared, events);
      if (viewport !== undefined) await page.setViewportSize(viewport);
      pages.push(page);
      page.on('close', () => pages.splice(pages.indexOf(page), 1));
      return page;
    },
    cookies: async () => {
      // WebDriver tells the cookies of the page that a window shows.
      const found = await Promise.all(
        pages.map(({ handle }) => session.command<readonly Cookie[]>('GET', '/cookie', undefined, handle)),
      );
      return found.flat().map((cookie) => ({ ...cookie, expires: cookie.expiry ?? -1 }));
    },
    addCookies: async (cookies: readonly NewCookie[]) => {
      const { handle } = await session.command<{ readonly handle: string }>('POST', '/window/new', { type: 'window' });
      const page = webkitPage(session, handle, shared, events);
      for (const { name, value, url } of cookies) {
        await page.goto(new URL(blankPath, url).href);
        await page.evaluate((cookie: string) => {
          document.cookie = cookie;
        }, `${name}=${value}; path=/`);
      }
      await page.close();
    },
    setOffline: (offline: boolean) => {
      isOffline = offline;
      return Promise.resolve();
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      pages.length = 0;
      events.emit('close');
      await session.end();
      proxy.close();
    },
    /** SIGKILL to the whole browser. */
    kill: () => {
      isClosed = true;
      pages.length = 0;
      session.kill();
      proxy.close();
    },
  });
};

/** Empty storage, which goes with the context. */
const newContext = async ({ viewport }: { readonly viewport?: Size } = {}) => {
  const profile = newProfile();
  const context = await startContext(profile, false, viewport);
  const { close } = context;
  return Object.assign(context, { close: () => close().finally(() => removeProfile(profile)) });
};

/** WebKit in the shape that Playwright gives to browsers; each context is a process of its own. */
export const launchWebkit = (): Promise<Browser> =>
  Promise.resolve(namedLacks('browser', { newContext, close: () => Promise.resolve() }) as unknown as Browser);

/** A WebKit with a profile on disk. `refusesStorage`: the visitor lets no site store anything. */
export const ownWebkit = ({ refusesStorage = false } = {}): ProfiledBrowser => {
  const profile = newProfile();
  let running: Awaited<ReturnType<typeof startContext>> | undefined;
  const kill = (): Promise<void> => {
    running?.kill();
    running = undefined;
    return Promise.resolve();
  };
  return {
    start: async () => (running = await startContext(profile, refusesStorage)) as unknown as BrowserContext,
    kill,
    remove: async () => {
      await kill();
      removeProfile(profile);
    },
  };
};
