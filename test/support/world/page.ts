import { defer, ignoreElements, map, Observable, of, race, Subject, switchMap, take, throwError } from 'rxjs';

import type { AnyAddon } from '../../../src/addons/addon';
import type { Tag } from '../../../src/api/tag';
import { boot } from '../../../src/boot';
import { noExperiment } from '../../../src/contracts/experiment';
import type { PublishedBundle } from '../../../src/engine/language/canonicalLanguage';
import { json } from '../../../src/hardening/plainJson';
import { NetworkError } from '../../../src/model/errors';
import type { PageProject } from '../../../src/model/project';
import type { HttpAnswer, HttpRequest, Listen, Platform, TextStorage } from '../../../src/platform/platform';
import { overriding } from '../../../src/streams/visitor/tabOverrides';
import type { DeferredParts } from '../../../src/visit/world';
import { fileOf } from '../fileOf';
import { isLive, type Life, newLife, type VirtualClock } from './clock';
import type { CookieReader, Cookies } from './cookies';
import { openEngine } from './engine';
import { type FakeGoogletag, fakeGoogletag } from './googletag';
import { holding, journalOf, type Origin } from './origin';
import type { ModelServer } from './server';
import type { Use } from './use';

/** The project of the pages. */
export interface SiteProject {
  readonly project: PageProject;
  readonly bundle: PublishedBundle;
  /** Addons of the page script. */
  readonly addonsOf: (page: Page) => readonly AnyAddon[];
  readonly parts: DeferredParts;
}

/** What a page shares with the other pages of the browser. */
export interface Surroundings extends SiteProject {
  readonly clock: VirtualClock;
  readonly browser: Life;
  readonly cookies: Cookies;
  readonly server: ModelServer;
  /** The visitor's clock, in ms since 1970. */
  readonly wall: () => number;
  readonly isOnline: () => boolean;
  readonly newId: () => string;
  /** The page script of a page is about to boot. */
  readonly onBoot: (page: Page) => void;
  /** Hears each use that a page makes of the browser, before it takes place. */
  readonly onUse: (page: Page, use: Use) => void;
  /** Hears of each change in local storage; the text is null where the key was removed. */
  readonly onStored: (page: Page, key: string, text: string | null) => void;
  /** Hears of each change of a cookie. */
  readonly onCookie: () => void;
  /** Whether pages of the browser hear of changes of cookies. */
  readonly hasCookieStore: boolean;
  /** Sends a message to the other pages of the origin. */
  readonly broadcast: (page: Page, message: unknown) => void;
  readonly report: (page: Page, message: string, cause: unknown) => void;
  /** The platform that a page gets in place of its own: a test of the law breaks it. */
  readonly changed: (platform: Platform, page: Page) => Platform;
}

/** Where a page is, and how it was opened. */
export interface PageFacts {
  readonly origin: Origin;
  readonly session: Map<string, string>;
  /** What the page knows of local storage. */
  readonly local: Map<string, string>;
  readonly path: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Calls that the page's snippet has left. */
  readonly queue: readonly (readonly [name: string, ...args: readonly unknown[]])[];
  readonly isPrerendered: boolean;
}

/** A document that runs the SDK. */
export interface Page extends CookieReader {
  readonly number: number;
  /** Local storage as the process of the page knows it. */
  readonly local: Map<string, string>;
  readonly origin: Origin;
  readonly life: Life;
  readonly tag: Tag;
  readonly googletag: FakeGoogletag;
  readonly messages$: Subject<unknown>;
  path: string;
  isHidden: boolean;
  isPrerendering: boolean;
  /** The page script has run, and has booted. */
  isBooted: boolean;
  /** Calls a method of the tag as the page does, in a task of its own. Answers what the method answers. */
  readonly call: (name: string, ...args: readonly unknown[]) => unknown;
  /** Dispatches a DOM event in a task of its own. */
  readonly fire: (target: Parameters<Listen>[0], type: string, event?: object) => void;
}

/** Ms until the page script has loaded, a task of the page has had its turn, and a server's answer is there. */
const scriptMs = 20;
const taskMs = 1;
const wayMs = 20;
const chunkMs = 30;

/** Opens a page, which loads the page script. */
export const openPage = (number: number, facts: PageFacts, surroundings: Surroundings): Page => {
  const { clock, browser } = surroundings;
  const life = newLife(browser);
  const fired$ = new Subject<readonly [name: string, event: unknown]>();
  const tag: Tag = {
    q: facts.queue.map(([functionName, ...args]) => ({ functionName, arguments: args })),
    config: facts.config,
  };
  const page: Page = {
    number,
    openedAt: clock.now(),
    local: facts.local,
    origin: facts.origin,
    life,
    tag,
    googletag: fakeGoogletag((key, text) => surroundings.onUse(page, { door: 'google', key, text })),
    messages$: new Subject(),
    path: facts.path,
    isHidden: facts.isPrerendered,
    isPrerendering: facts.isPrerendered,
    isBooted: false,
    call: (name, ...args) => {
      let answer: unknown;
      clock.task(life, () => {
        const method = tag[name];
        if (typeof method === 'function') answer = (method as (...given: readonly unknown[]) => unknown)(...args);
        // The stub of the snippet.
        else (tag['q'] as unknown[]).push({ functionName: name, arguments: args });
      });
      return answer;
    },
    fire: (target, type, event) => {
      if (isLive(life)) clock.task(life, () => fired$.next([`${target} ${type}`, { isTrusted: true, ...event }]));
    },
  };
  const platform = surroundings.changed(platformOf(page, fired$, facts, surroundings), page);
  clock.later(life, scriptMs, () => startScript(page, platform, surroundings));
  return page;
};

/**
 * Starts the SDK as `src/main.ts` does: once the page is shown, in a task of its own, or at once where the page goes
 * away before that.
 */
const startScript = (page: Page, platform: Platform, surroundings: Surroundings): void => {
  const shown$ = page.isPrerendering ? platform.listen('document', 'prerenderingchange') : of(undefined);
  shown$
    .pipe(
      take(1),
      switchMap(() => race(platform.yieldThread(), platform.listen('window', 'pagehide'))),
      take(1),
    )
    .subscribe(() => {
      page.isBooted = true;
      surroundings.onBoot(page);
      boot({
        wasUnasked: false,
        closeWorker: () => undefined,
        waitFor: () => undefined,
        tag: page.tag,
        project: surroundings.project,
        experiment: noExperiment,
        addons: surroundings.addonsOf(page),
        deferredAddons: surroundings.parts.addons.map(({ name }) => name),
        loadDeferred: () => surroundings.clock.after(chunkMs).pipe(map(() => surroundings.parts)),
        overriding,
        json,
        warn: () => undefined,
        log: (message, cause) => surroundings.report(page, message, cause),
        fileOf,
        // Promises, which no virtual clock can wait for; the settings of the pages ask for none of these.
        loadInspector: () => new Promise(() => undefined),
        loadErrorReports: () => new Promise(() => undefined),
        loadVitals: () => new Promise(() => undefined),
        platformOf: () => platform,
      });
    });
};

const platformOf = (
  page: Page,
  fired$: Subject<readonly [name: string, event: unknown]>,
  { origin, session }: PageFacts,
  surroundings: Surroundings,
): Platform => {
  const { clock, browser, cookies, wall, isOnline, newId, bundle } = surroundings;
  const { life } = page;
  const note = (use: Use): void => surroundings.onUse(page, use);
  const report = (message: string, cause: unknown): void => surroundings.report(page, message, cause);
  const { host } = origin;
  const listen: Listen = (target, type) =>
    target === 'cookieStore' && !surroundings.hasCookieStore
      ? throwError(() => new TypeError('no such API'))
      : new Observable((subscriber) =>
          fired$.subscribe(([name, event]) => {
            if (name === `${target} ${type}`) subscriber.next(event);
          }),
        );
  return {
    http: httpOf(page, note, surroundings),
    local: storageOf('local', page.local, note, (key, text) => surroundings.onStored(page, key, text)),
    session: storageOf('session', session, note, () => undefined),
    cookies: {
      read: (name) => {
        const value = cookies.read(host, name, page);
        return value === undefined ? undefined : decodeURIComponent(value);
      },
      write: (text) => {
        const change = cookies.write(host, text, page);
        if (!change) return;
        note({ door: 'cookie', key: change.name, text: change.value, had: change.had });
        if (change.had || change.value !== null) surroundings.onCookie();
      },
    },
    page: {
      url: () => `https://${host}${page.path}`,
      host: () => host,
      path: () => page.path,
      isEmbedded: () => false,
      title: () => `Article of ${page.path}`,
      referrer: () => '',
      userAgent: () => 'Browser',
      hidden: () => page.isHidden,
      online: isOnline,
      privacyControl: () => false,
      scrollDepth: () => 0.5,
      adIn: () => undefined,
      global: (name) => (name === 'googletag' ? page.googletag : undefined),
      dispatch: () => undefined,
      mark: () => undefined,
      post: () => undefined,
    },
    listen,
    tabs: { message$: page.messages$, post: (message) => surroundings.broadcast(page, message) },
    now: wall,
    yieldThread: () => clock.after(taskMs),
    endOfTask: clock.endOfTask,
    random: () => 0.5,
    newId,
    loadPixel: (url) => {
      note({ door: 'pixel', url });
      return of(true);
    },
    runScript: () => true,
    openEngine: () => openEngine({ bundle, origin, clock, page: life, wall, note, report }),
    openLayer: () => {
      throw new Error('no document here');
    },
    journal: journalOf(origin, browser, clock, (use) => {
      if (use.act === 'erase') note({ door: 'journal', key: '', text: null, had: use.had > 0 });
      else for (const [key, text] of use.changes) if (text !== null) note({ door: 'journal', key, text, had: false });
    }),
    hold: holding(origin, clock),
    eraseStore: () =>
      defer(() => {
        note({ door: 'store', key: '', text: null, had: origin.store.size > 0 });
        // The browser ends what it was asked for, also where the page ends before.
        clock.later(browser, taskMs, () => origin.store.clear());
        return clock.after(taskMs + 1).pipe(ignoreElements());
      }),
  };
};

const storageOf = (
  door: 'local' | 'session',
  texts: Map<string, string>,
  note: (use: Use) => void,
  onChange: (key: string, text: string | null) => void,
): TextStorage => ({
  read: (key) => texts.get(key) ?? null,
  write: (key, text) => {
    note({ door, key, text, had: texts.has(key) });
    if (texts.get(key) === text) return undefined;
    texts.set(key, text);
    onChange(key, text);
    return undefined;
  },
  remove: (key) => {
    const had = texts.has(key);
    note({ door, key, text: null, had });
    texts.delete(key);
    if (had) onChange(key, null);
  },
  keys: () => [...texts.keys()],
});

/**
 * Requests of a page. One that was sent arrives even if its page ends meanwhile; an answer comes only where the page
 * still waits for it.
 */
const httpOf = (page: Page, note: (use: Use) => void, surroundings: Surroundings): Platform['http'] => {
  const { clock, browser, server, isOnline } = surroundings;
  const sent = ({ url, body }: HttpRequest, done: (answer: HttpAnswer | undefined) => void): (() => void) => {
    let isAborted = false;
    clock.later(browser, wayMs, () => {
      const answer = isAborted || !isOnline() ? undefined : server.answer(url, body);
      clock.later(page.life, wayMs, () => done(answer));
    });
    return () => void (isAborted = true);
  };
  return {
    send: (request) =>
      new Observable((subscriber) => {
        note({ door: 'request', url: request.url, body: request.body });
        return sent(request, (answer) => {
          if (answer === undefined) return subscriber.error(new NetworkError('failed'));
          subscriber.next(answer);
          subscriber.complete();
        });
      }),
    beacon: (url, body) => {
      note({ door: 'request', url, body });
      if (!isOnline()) return false;
      clock.later(browser, wayMs, () => {
        if (isOnline()) server.answer(url, body);
      });
      return true;
    },
  };
};
