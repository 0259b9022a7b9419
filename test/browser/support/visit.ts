import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Demo, startDemo } from '../../../demo/servers';
import { launchChromium } from './chromium';

/** An event as the reference API has taken it. */
export interface Arrived {
  readonly id: string;
  readonly name: string;
  readonly time: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly view_id: string;
  readonly segments: readonly number[];
  readonly cohorts: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The demo's three servers and a browser, for the tests of one file. */
export interface Stage {
  readonly demo: Demo;
  readonly browser: Browser;
  /** A visitor with empty storage, and what went wrong on their pages. */
  readonly visitor: () => Promise<Visitor>;
  /** Events that have arrived since the last reset of the API. */
  readonly arrived: (name?: string) => Promise<readonly Arrived[]>;
  /** Waits until `count` events of that name have arrived. */
  readonly untilArrived: (name: string, count?: number) => Promise<readonly Arrived[]>;
  readonly rejected: () => Promise<number>;
  readonly requests: () => Promise<readonly { readonly method: string; readonly path: string; readonly contentType: string | null; readonly status: number | null }[]>;
  readonly resetApi: () => Promise<void>;
  readonly fault: (match: { readonly method?: string; readonly path?: string }, action: object, times?: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Uncaught errors of the page, and console errors. */
  readonly errors: string[];
  readonly warnings: string[];
  readonly open: (path: string) => Promise<void>;
  /** Resolves when the SDK has reached the stage. */
  readonly ready: (stage?: 'initialised' | 'realtime') => Promise<void>;
  readonly storage: () => Promise<Record<string, string>>;
}

export const openStage = async (): Promise<Stage> => {
  const demo = await startDemo({ site: 0, cdn: 0, api: 0 });
  const browser = await launchChromium();
  const ask = async <A>(path: string): Promise<A> => (await (await fetch(demo.api + path)).json()) as A;
  const arrived: Stage['arrived'] = async (name) =>
    (await ask<{ events: Arrived[] }>(`/good${name === undefined ? '' : `?name=${name}`}`)).events;
  return {
    demo,
    browser,
    visitor: () => newVisitor(browser, demo),
    arrived,
    untilArrived: (name, count = 1) => until(async () => {
      const events = await arrived(name);
      return events.length >= count ? events : undefined;
    }, `${count} ${name}`),
    rejected: async () => (await ask<{ count: number }>('/bad')).count,
    requests: async () => (await ask<{ requests: Awaited<ReturnType<Stage['requests']>> }>('/requests')).requests,
    resetApi: async () => {
      await fetch(`${demo.api}/reset`, { method: 'POST' });
    },
    fault: async (match, action, times) => {
      await fetch(`${demo.api}/faults`, { method: 'POST', body: JSON.stringify([{ match, action, ...(times !== undefined && { times }) }]) });
    },
    close: async () => {
      await browser.close();
      await demo.close();
    },
  };
};

const newVisitor = async (browser: Browser, { site }: Demo): Promise<Visitor> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const [errors, warnings]: string[][] = [[], []];
  page.on('pageerror', (error) => errors!.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors!.push(message.text());
    if (message.type() === 'warning') warnings!.push(message.text());
  });
  return {
    context,
    page,
    errors: errors!,
    warnings: warnings!,
    open: async (path) => {
      await page.goto(site + path);
    },
    ready: (stage = 'realtime') =>
      page.evaluate(
        (wanted) => new Promise<void>((resolve) => void (window as unknown as { permutive: { ready: (cb: () => void, stage: string) => void } }).permutive.ready(resolve, wanted)),
        stage,
      ),
    storage: () => page.evaluate(() => Object.fromEntries(Object.entries(localStorage))),
  };
};

/** Asks until there is an answer; fails after ten seconds with what was waited for. */
export const until = async <A>(ask: () => Promise<A | undefined>, what: string, withinMs = 10_000): Promise<A> => {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
