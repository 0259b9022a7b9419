import { asapScheduler, concat, NEVER, type Observable, observeOn, of, throwError } from 'rxjs';

import { appearances } from '../operators/creators/appearances';
import { perform } from '../operators/creators/perform';
import type { HttpRequest, Page, Platform, Tools } from '../platform/platform';
import { countedIds } from './countedIds';
import { type FakeEngine, fakeEngine } from './fakeEngine';
import { fakeHttp, type Send } from './fakeHttp';
import { type FakeListeners, fakeListeners } from './fakeListeners';
import { type MemoryCookies, memoryCookies } from './memoryCookies';
import { memoryJournal } from './memoryJournal';
import { type MemoryStorage, memoryStorage } from './memoryStorage';

/** Noon of 1 January 2026, in ms since 1970. */
export const noon = Date.UTC(2026, 0, 1, 12);

/** A platform in memory, and what can be seen and done there. */
export interface FakePlatform
  extends Platform, Pick<Tools, 'appears'>, Pick<FakeListeners, 'listening' | 'fire'>, Pick<MemoryCookies, 'jar'> {
  readonly local: MemoryStorage;
  readonly session: MemoryStorage;
  readonly requests: readonly HttpRequest[];
  readonly engines: readonly FakeEngine[];
  /** CustomEvents dispatched on `window`. */
  readonly dispatched: readonly string[];
  /** Addresses of images that were asked for. */
  readonly pixels: readonly string[];
  /** Scripts that were run in the page. */
  readonly scripts: readonly string[];
  /** Messages posted to the page's own window. */
  readonly posted: readonly unknown[];
  /** Texts of the journal's records, by key. */
  readonly records: ReadonlyMap<string, unknown>;
  /** How often the encrypted store was erased. */
  readonly erasures: () => number;
  readonly setNow: (ms: number) => void;
  readonly setHidden: (hidden: boolean) => void;
}

/** What a fake platform begins with, and how it differs from the plain one. */
export interface FakeFacts {
  readonly local?: Readonly<Record<string, string>>;
  readonly session?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly page?: Partial<Page>;
  readonly globals?: Readonly<Record<string, unknown>>;
  /** Whether the browser tells of changes of cookies. Default true. */
  readonly hasCookieStore?: boolean;
  /** Answers requests. Default: the server takes everything. */
  readonly send?: Send;
  /** Ends a task. Default: at once, so that all of a start is one task. */
  readonly yieldThread?: () => Observable<unknown>;
  /** Default: noon, until `setNow`. */
  readonly now?: () => number;
}

/**
 * A browser in memory on which the real SDK runs: storage, cookies, network, listeners and engines that can be looked
 * into. Nothing waits, and nothing outlives it. The platform touches no global.
 */
export const fakePlatform = (facts: FakeFacts = {}): FakePlatform => {
  const cookies = memoryCookies(facts.cookies);
  const engines: FakeEngine[] = [];
  const [dispatched, pixels, scripts]: [string[], string[], string[]] = [[], [], []];
  const posted: unknown[] = [];
  const records = new Map<string, unknown>();
  let [now, hidden, erasures] = [noon, false, 0];
  const { listen: listenTo, ...listeners } = fakeListeners();
  const listen: FakeListeners['listen'] = (target, type) =>
    target === 'cookieStore' && facts.hasCookieStore === false
      ? throwError(() => new TypeError('no cookieStore'))
      : listenTo(target, type);
  return {
    ...fakeHttp(facts.send),
    local: memoryStorage(facts.local),
    session: memoryStorage(facts.session),
    cookies,
    page: {
      ...quietPage,
      hidden: () => hidden,
      global: (name) => facts.globals?.[name],
      dispatch: (name) => void dispatched.push(name),
      post: (message) => void posted.push(message),
      ...facts.page,
    },
    ...listeners,
    listen,
    appears: appearances(listen),
    tabs: { message$: NEVER, post: () => undefined },
    now: facts.now ?? (() => now),
    yieldThread: facts.yieldThread ?? (() => of(undefined)),
    // In virtual time too.
    endOfTask: () => of(undefined).pipe(observeOn(asapScheduler)),
    random: () => 0,
    newId: countedIds(),
    loadPixel: (url) => of(pixels.push(url) > 0),
    runScript: (code) => scripts.push(code) > 0,
    openEngine: () => {
      const { link, engine } = fakeEngine();
      engines.push(engine);
      return link;
    },
    openLayer: () => {
      throw new Error('no document here');
    },
    journal: memoryJournal(records),
    hold: () => concat(of(true), NEVER),
    eraseStore: () => perform(() => (erasures += 1)),
    jar: cookies.jar,
    engines,
    dispatched,
    pixels,
    scripts,
    posted,
    records,
    erasures: () => erasures,
    setNow: (ms) => void (now = ms),
    setHidden: (isHidden) => void (hidden = isHidden),
  };
};

/** An article on which nothing happens. */
const quietPage: Page = {
  url: () => 'https://www.site.example/article/',
  host: () => 'www.site.example',
  path: () => '/article/',
  isEmbedded: () => false,
  title: () => 'Article',
  referrer: () => '',
  userAgent: () => 'Browser',
  hidden: () => false,
  online: () => true,
  privacyControl: () => false,
  scrollDepth: () => 0.5,
  adIn: () => undefined,
  global: () => undefined,
  dispatch: () => undefined,
  mark: () => undefined,
  post: () => undefined,
};
