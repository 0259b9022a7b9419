import { noon } from '../events';
import { hasEnded, isLive, type Life, type VirtualClock } from './clock';
import { newCookies } from './cookies';
import { newOrigin, type Origin } from './origin';
import { openPage, type Page, type PageFacts, type SiteProject, type Surroundings } from './page';
import { type ModelServer, modelServer } from './server';
import type { Use } from './use';

/** Ms until other pages of an origin hear of a change in local storage, or a message. */
const hearMs = 1;

/** A tab, which shows pages of one origin. */
export interface Tab {
  readonly origin: Origin;
  /** The page that it shows. */
  page: Page | undefined;
  /** The page before, in the back-forward cache. */
  cached: Page | undefined;
  /** A page that is prerendered for it. */
  prerendered: Page | undefined;
}

/** How a page of a tab is opened. */
export type Opening = Pick<PageFacts, 'path' | 'config' | 'queue'>;

/** How browsers differ. */
export interface BrowserTraits {
  /**
   * Each page is in a process of its own: it sees so many ms later what others have written to cookies, and hears of
   * changes in local storage and of messages one by one, as a busy page does. 0: one process for all.
   */
  readonly lateMs: number;
  /** Pages hear of changes of cookies. */
  readonly hasCookieStore: boolean;
  /**
   * A page that is left before its script has run goes on for so many ms, in the back-forward cache already. 0: such a
   * page ends at once.
   */
  readonly lingerMs: number;
}
/** One process for all pages, which hear of no changes of cookies. */
export const oneProcess: BrowserTraits = { lateMs: 0, hasCookieStore: false, lingerMs: 0 };

/** Ms that a page with its own process takes for each thing that it hears of. */
const busyMs = 4;

/** What a test hears of the browser. */
export interface BrowserDeps {
  readonly clock: VirtualClock;
  readonly life: Life;
  readonly project: SiteProject;
  readonly onBoot: (page: Page) => void;
  readonly onUse: (page: Page, use: Use) => void;
  readonly onReport: (page: Page, message: string, cause: unknown) => void;
  readonly traits: BrowserTraits;
  /** Changes the platform of a page. */
  readonly changed?: Surroundings['changed'] | undefined;
}

/**
 * A browser in virtual time: origins under one domain with their stores, tabs, a visitor's clock, a network and a
 * server. The pages run the real SDK with the real engine.
 */
export interface FakeBrowser {
  readonly origins: readonly Origin[];
  readonly tabs: readonly Tab[];
  readonly server: ModelServer;
  /** Cookies that pages of this origin see. */
  readonly cookiesOf: (origin: Origin) => Readonly<Record<string, string>>;
  /** The visitor's clock, in ms since 1970. */
  readonly wall: () => number;
  /** Puts the visitor's clock forward or back. */
  readonly stepClock: (ms: number) => void;
  readonly setOnline: (isOnline: boolean) => void;
  /** Navigates to another page; the one before is left. */
  readonly open: (tab: Tab, opening: Opening) => Page;
  /** Closes the page of a tab, as a visitor does. */
  readonly close: (tab: Tab) => void;
  /** Ends the page of a tab without a word. */
  readonly crash: (tab: Tab) => void;
  /** Leaves the page, and returns to the one before where the back-forward cache still has it. Answers that page. */
  readonly back: (tab: Tab, onReturn: (page: Page) => void) => Page | undefined;
  /** Prerenders a page for the tab. */
  readonly prerender: (tab: Tab, opening: Opening) => void;
  /** Shows the prerendered page in place of the one before. Answers it. */
  readonly activate: (tab: Tab) => Page | undefined;
  readonly setHidden: (page: Page, isHidden: boolean) => void;
  /** Stops the scripts of a page that is in the background, as browsers do to save power. */
  readonly freeze: (page: Page) => void;
  /** Lets the scripts of such a page go on. Does nothing where the page was not stopped. */
  readonly thaw: (page: Page) => void;
}

/** Makes a browser with these tabs: the host of each. */
export const fakeBrowser = (hosts: readonly string[], deps: BrowserDeps): FakeBrowser => {
  const {
    clock,
    life,
    project,
    onUse,
    onBoot,
    onReport,
    traits: { lateMs, hasCookieStore, lingerMs },
  } = deps;
  let [isOnline, drift, ids, opened] = [true, 0, 0, 0];
  const wall = (): number => noon + Math.floor(clock.now()) + drift;
  const origins = [...new Set(hosts)].map(newOrigin);
  const cookies = newCookies(wall, { clock: clock.now, lateMs });
  const server = modelServer();
  const pages = new Set<Page>();
  const others = (page: Page): readonly Page[] =>
    [...pages].filter((other) => other !== page && other.origin === page.origin && isLive(other.life));
  const busyUntil = new Map<Page, number>();
  /** When each page has written a key last, by the number of the write. */
  const written = new Map<Page, ReadonlyMap<string, number>>();
  let turns = 0;
  /** Lets the other pages of the origin hear of something, each in a task of its own. */
  const tellOthers = (page: Page, tell: (other: Page) => void): void => {
    for (const other of others(page)) {
      const at = Math.max(clock.now() + hearMs, lateMs > 0 ? (busyUntil.get(other) ?? 0) + busyMs : 0);
      busyUntil.set(other, at);
      clock.later(other.life, at - clock.now(), () => tell(other));
    }
  };
  const surroundings: Surroundings = {
    ...project,
    clock,
    browser: life,
    cookies,
    server,
    wall,
    isOnline: () => isOnline,
    newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    onBoot,
    onUse,
    hasCookieStore,
    onStored: (page, key, text) => {
      change(page.origin.local, key, text);
      const turn = (turns += 1);
      written.set(page, new Map(written.get(page)).set(key, turn));
      tellOthers(page, (other) => {
        // A value that the other page has written itself meanwhile is newer. Pages of one process have one storage.
        const isStale = other.local === page.origin.local || (written.get(other)?.get(key) ?? 0) > turn;
        if (!isStale) change(other.local, key, text);
        other.fire('window', 'storage', { key });
      });
    },
    onCookie: () => {
      if (!hasCookieStore) return;
      for (const page of pages)
        if (isLive(page.life))
          clock.later(page.life, Math.max(hearMs, lateMs), () => page.fire('cookieStore', 'change'));
    },
    broadcast: (page, message) => tellOthers(page, (other) => other.messages$.next(message)),
    report: onReport,
    changed: deps.changed ?? ((platform) => platform),
  };
  const sessions = new Map<Tab, Map<string, string>>();
  const load = (tab: Tab, opening: Opening, isPrerendered: boolean): Page => {
    const session = sessions.get(tab) ?? new Map<string, string>();
    sessions.set(tab, session);
    const { origin } = tab;
    const local = lateMs > 0 ? new Map(origin.local) : origin.local;
    const page = openPage((opened += 1), { ...opening, origin, local, session, isPrerendered }, surroundings);
    pages.add(page);
    return page;
  };
  const end = (page: Page | undefined): void => {
    if (page === undefined) return;
    page.life.state = 'ended';
    pages.delete(page);
  };
  /** Tells a page that it is left. */
  const unload = (page: Page, persisted: boolean): void => {
    page.fire('window', 'pagehide', { persisted });
    setHidden(page, true);
  };
  const setHidden = (page: Page, isHidden: boolean): void => {
    if (page.isHidden === isHidden) return;
    page.isHidden = isHidden;
    page.fire('document', 'visibilitychange');
  };
  /** A page that holds a lock is not kept in the back-forward cache. */
  const mayBeCached = (page: Page): boolean =>
    ![...page.origin.locks.values()].some((holder) => isWithin(holder, page.life));
  const cache = (tab: Tab, page: Page): void => {
    page.life.state = 'frozen';
    tab.cached = page;
  };
  /** The script of a page may run after the page was left. The browser looks at the page's locks a moment later. */
  const linger = (tab: Tab, page: Page): void => {
    tab.cached = page;
    clock.later(life, lingerMs, () => {
      if (tab.cached !== page) return;
      tab.cached = undefined;
      if (mayBeCached(page)) cache(tab, page);
      else end(page);
    });
  };
  const leave = (tab: Tab, isKept: boolean): void => {
    const { page } = tab;
    if (page === undefined) return;
    unload(page, isKept);
    tab.page = undefined;
    const lingers = !page.isBooted && lingerMs > 0;
    if (!isKept || (!page.isBooted && !lingers) || !mayBeCached(page)) return end(page);
    end(tab.cached);
    (lingers ? linger : cache)(tab, page);
  };
  return {
    origins,
    tabs: hosts.map((host) => ({
      origin: origins.find((origin) => origin.host === host)!,
      page: undefined,
      cached: undefined,
      prerendered: undefined,
    })),
    server,
    cookiesOf: ({ host }) => cookies.of(host),
    wall,
    stepClock: (ms) => void (drift += ms),
    setOnline: (online) => {
      if (isOnline === online) return;
      isOnline = online;
      for (const page of pages) page.fire('window', online ? 'online' : 'offline');
    },
    open: (tab, opening) => {
      leave(tab, true);
      end(tab.prerendered);
      tab.prerendered = undefined;
      tab.page = load(tab, opening, false);
      return tab.page;
    },
    close: (tab) => {
      leave(tab, false);
      end(tab.cached);
      end(tab.prerendered);
      [tab.cached, tab.prerendered] = [undefined, undefined];
    },
    crash: (tab) => {
      end(tab.page);
      end(tab.cached);
      end(tab.prerendered);
      [tab.page, tab.cached, tab.prerendered] = [undefined, undefined, undefined];
    },
    back: (tab, onReturn) => {
      const { cached } = tab;
      if (cached === undefined || hasEnded(cached.life)) return undefined;
      tab.cached = undefined;
      leave(tab, false);
      clock.thaw(cached.life);
      tab.page = cached;
      for (const key of [...cached.local.keys(), ...cached.origin.local.keys()])
        change(cached.local, key, cached.origin.local.get(key) ?? null);
      onReturn(cached);
      setHidden(cached, false);
      cached.fire('window', 'pageshow', { persisted: true });
      return cached;
    },
    prerender: (tab, opening) => {
      end(tab.prerendered);
      tab.prerendered = load(tab, opening, true);
    },
    activate: (tab) => {
      const { prerendered } = tab;
      if (prerendered === undefined) return undefined;
      tab.prerendered = undefined;
      leave(tab, true);
      tab.page = prerendered;
      prerendered.isPrerendering = false;
      setHidden(prerendered, false);
      prerendered.fire('document', 'prerenderingchange');
      return prerendered;
    },
    setHidden,
    freeze: (page) => {
      setHidden(page, true);
      page.life.state = 'frozen';
    },
    thaw: (page) => {
      if (page.life.state !== 'frozen') return;
      clock.thaw(page.life);
      setHidden(page, false);
    },
  };
};

const change = (texts: Map<string, string>, key: string, text: string | null): void => {
  if (text === null) texts.delete(key);
  else texts.set(key, text);
};

const isWithin = (life: Life, outer: Life): boolean =>
  !hasEnded(life) && (life === outer || (life.within !== undefined && isWithin(life.within, outer)));
