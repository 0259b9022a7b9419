import type { Browser, BrowserContext, Page } from 'playwright-core';

import { browserName } from './browserName';
import { partFile } from './bundleFile';
import { crash } from './crash';
import type { PageEvent, Permutive } from './permutive';
import { until } from './until';
import type { WebkitPage } from './webkit/launch';

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Files of the bundle, as patterns of addresses. */
export const scriptFile = '**/*-web.js';
export const workerFile = partFile('worker');

/** What a page sent in one request to `/batch/events`. */
export interface SentBatch {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: readonly (PageEvent & { readonly user_id: string })[];
}

/** One page of a visitor. */
export interface Tab {
  readonly page: Page;
  readonly open: (path: string, waitUntil?: 'load' | 'domcontentloaded') => Promise<void>;
  /** Runs in the page, given its `permutive`. */
  readonly ask: <A, Given = undefined>(
    action: (permutive: Permutive, given: Given) => A | Promise<A>,
    given?: Given,
  ) => Promise<A>;
  /** Resolves when the SDK has reached the stage. */
  readonly ready: (stage?: 'initialised' | 'realtime') => Promise<void>;
  readonly track: (name: string, properties?: object) => Promise<PageEvent | null>;
  /** What the page's listeners have heard so far. */
  readonly heard: (name?: string) => Promise<readonly PageEvent[]>;
  readonly storage: () => Promise<Record<string, string>>;
  /** Page-level targeting of Google's tag. */
  readonly targeting: () => Promise<Readonly<Record<string, readonly string[]>>>;
  /** Holds answers for matching addresses back until the returned function is called. */
  readonly hold: (pattern: string | RegExp) => Promise<() => void>;
}

/** A person with a browser of their own. */
export interface Visitor extends Tab {
  readonly context: BrowserContext;
  /** Uncaught errors of their pages, and console errors. */
  readonly errors: string[];
  /** What their pages have warned of so far, as a list that can be emptied. */
  readonly warnings: () => Promise<string[]>;
  /** Addresses that their pages have asked. */
  readonly asked: string[];
  readonly batches: readonly SentBatch[];
  readonly newTab: () => Promise<Tab>;
  /** The site's cookies, as the page reads them. */
  readonly cookies: () => Promise<Readonly<Record<string, string>>>;
  readonly databases: () => Promise<readonly string[]>;
  /** The first tab's process dies without a word. */
  readonly crash: () => Promise<void>;
  readonly untilWarned: (text: string) => Promise<string>;
}

export interface VisitorOptions {
  /** Console errors that belong to the test, such as answers with an error status. */
  readonly expected?: RegExp;
}

/** The browser's own words for requests that fail. */
export const failedRequests = /^Failed to load resource|\(Reason: CORS request did not succeed\)/;
/** The browser's own words where the page's policy refuses a worker. */
export const refusedWorkers = /^Creating a worker from|^The page’s settings blocked a worker script/;

/**
 * Firefox tells of more than uncaught errors as if they were some: of what a policy refuses, of errors that the page
 * has dealt with, and of cookies for a domain that is too wide, with which the SDK finds the widest one.
 */
const toldByFirefox = /^Cookie “.*” has been rejected for invalid domain/;

/** How far a page comes whose worker script is held: in Firefox, the load event waits for what a worker imports. */
export const loadedWithoutWorker = browserName === 'firefox' ? 'domcontentloaded' : 'load';

export const newVisitor = async (
  browser: Pick<Browser, 'newContext'>,
  site: string,
  { expected }: VisitorOptions = {},
): Promise<Visitor> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const errors: string[] = [];
  const warnings: string[] = [];
  const asked: string[] = [];
  const batches: SentBatch[] = [];

  context.on('weberror', (error) => {
    const { message } = error.error();
    if (browserName !== 'firefox' || !(toldByFirefox.test(message) || expected?.test(message) === true))
      errors.push(message);
  });
  context.on('console', (message) => {
    // Blank pages have no icon, and browsers ask for one; the partners of the sample project exist in name only.
    const isOurs = !/\/favicon\.ico$|^https:\/\/[\w.-]+\.example\//.test(message.location().url);
    if (message.type() === 'error' && isOurs && expected?.test(message.text()) !== true)
      // Of a request that has failed, the text does not say which one it was.
      errors.push(failedRequests.test(message.text()) ? `${message.text()} ${message.location().url}` : message.text());
    // Most pages have no AppNexus tag, and each says so in the end.
    if (message.type() === 'warning' && !message.text().includes('Unable to find appnexus tag script'))
      warnings.push(message.text());
  });
  context.on('request', (request) => {
    asked.push(request.url());
    if (!request.url().includes('/batch/events')) return;
    batches.push({
      url: request.url(),
      headers: request.headers(),
      events: JSON.parse(request.postData() ?? '[]') as SentBatch['events'],
    });
  });

  const marks = new Set<string>();
  context.on('console', (message) => {
    if (message.type() === 'debug') marks.add(message.text());
  });
  // Drivers tell of the console apart from their answers, but in its order, so each page says a word of its own first.
  const hear = async (page: Page, index: number): Promise<void> => {
    if (browserName === 'webkit') return (page as unknown as WebkitPage).heard();
    const mark = `said before ${marks.size} ${index} ${Date.now()}`;
    const isSaid = await page
      .evaluate((text) => console.debug(text), mark)
      .then(
        () => true,
        // Nothing can be evaluated in a page that lacks what drivers need, such as `Map`.
        () => false,
      );
    if (isSaid) await until(() => marks.has(mark) || undefined, 'what the page has said');
  };
  const first = tabOf(await context.newPage(), site);
  return {
    ...first,
    context,
    errors,
    warnings: async () => {
      await Promise.all(context.pages().map(hear));
      return warnings;
    },
    asked,
    batches,
    newTab: async () => tabOf(await context.newPage(), site),
    cookies: async () =>
      Object.fromEntries((await context.cookies()).map(({ name, value }) => [name, decodeURIComponent(value)])),
    databases: () => first.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? '')),
    crash: () => crash(first.page),
    untilWarned: (text) => until(() => warnings.find((warning) => warning.includes(text)), `the warning “${text}”`),
  };
};

/**
 * Under load, Firefox now and then breaks a navigation off, though no other one has taken its place, or says later that
 * one to the same address has.
 */
const isBrokenOff = (error: unknown, address: string): boolean =>
  ['NS_BINDING_ABORTED', `interrupted by another navigation to "${address}"`].some((words) =>
    String(error).includes(words),
  );

/** A page as a tab, on the pages of this site. */
export const tabOf = (page: Page, site: string): Tab => {
  const ask: Tab['ask'] = async (action, given) => {
    const permutive = await page.evaluateHandle('window.permutive');
    return permutive.evaluate(action as never, given);
  };
  return {
    page,
    open: async (path, waitUntil = 'load') => {
      const address = site + path;
      const go = (times: number): Promise<unknown> =>
        page.goto(address, { waitUntil }).catch((error: unknown) => {
          if (times === 1 || !isBrokenOff(error, address)) throw error;
          return go(times - 1);
        });
      await go(3);
    },
    ask,
    ready: (stage = 'realtime') =>
      ask(
        (permutive, wanted) =>
          new Promise<void>((resolve, reject) => {
            void permutive.ready(resolve, wanted);
            setTimeout(() => reject(new Error(`Waited in vain for permutive.ready, ${wanted}`)), 60_000);
          }),
        stage,
      ),
    track: (name, properties = {}) =>
      ask((permutive, [event, content]) => permutive.track(event, content), [name, properties] as const),
    heard: async (name) => {
      const events = await ask((permutive) => {
        const found: PageEvent[] = [];
        permutive
          .on(/.*/, (event) => found.push(event))
          .replay()
          .remove();
        return found;
      });
      return events.filter((event) => name === undefined || event.name === name);
    },
    storage: () => page.evaluate(() => Object.fromEntries(Object.entries(localStorage))),
    targeting: () =>
      page.evaluate(() => {
        const { googletag } = window as unknown as {
          googletag: { getConfig: (key: string) => { targeting?: Record<string, string[]> } };
        };
        return googletag.getConfig('targeting').targeting ?? {};
      }),
    hold: async (pattern) => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(pattern, async (route) => {
        await released;
        // What answers it otherwise, as a changed build, answers it then. The page may be gone by then.
        await route.fallback().catch(() => undefined);
      });
      return release;
    },
  };
};
