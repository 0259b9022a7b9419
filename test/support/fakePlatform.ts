import { asapScheduler, concat, defer, EMPTY, finalize, NEVER, type Observable, of, scheduled, Subject } from 'rxjs';

import type { EngineMessage } from '../../src/model/engineCommands';
import type { EngineLink, HttpAnswer, HttpRequest, Listen, Page, Platform } from '../../src/platform/platform';
import { noon } from './events';
import { memoryJournal } from './memoryJournal';
import { type MemoryStorage, memoryStorage } from './memoryStorage';

/** A conversation with an engine that the test plays. */
export interface FakeEngine {
  /** The messages that the engine was sent while it was open. */
  readonly heard: readonly { readonly type: string }[];
  readonly say: (message: EngineMessage) => void;
  readonly isOpen: () => boolean;
}

export interface FakePlatform extends Platform {
  readonly local: MemoryStorage;
  readonly session: MemoryStorage;
  /** Cookies that are set, by name. */
  readonly jar: ReadonlyMap<string, string>;
  readonly requests: readonly HttpRequest[];
  readonly engines: readonly FakeEngine[];
  /** Listeners that are registered, as `window storage`; sorted. */
  readonly listening: () => readonly string[];
  readonly fire: (target: Parameters<Listen>[0], type: string, event?: unknown) => void;
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

export interface FakeFacts {
  readonly local?: Readonly<Record<string, string>>;
  readonly session?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly page?: Partial<Page>;
  readonly globals?: Readonly<Record<string, unknown>>;
  /** Answers requests. Default: the server takes everything. */
  readonly send?: (request: HttpRequest) => Observable<HttpAnswer>;
  /** Ends a task. Default: at once, so that all of a start is one task. */
  readonly yieldThread?: () => Observable<unknown>;
  /** Default: noon, until `setNow`. */
  readonly now?: () => number;
}

/** The world without a browser: storage, cookies, network, listeners and engines that a test can look into. */
export const fakePlatform = (facts: FakeFacts = {}): FakePlatform => {
  const jar = new Map(Object.entries(facts.cookies ?? {}));
  const requests: HttpRequest[] = [];
  const engines: FakeEngine[] = [];
  const dispatched: string[] = [];
  const pixels: string[] = [];
  const scripts: string[] = [];
  const posted: unknown[] = [];
  const records = new Map<string, unknown>();
  const { listen, listening, fire } = fakeListeners();
  let [now, hidden, ids, erasures] = [noon, false, 0, 0];
  return {
    http: {
      send: (request) =>
        defer(() => {
          requests.push(request);
          return (facts.send ?? taken)(request);
        }),
      beacon: () => true,
    },
    local: memoryStorage(facts.local),
    session: memoryStorage(facts.session),
    cookies: { read: (name) => jar.get(name), write: (cookie) => writeCookie(jar, cookie) },
    page: {
      url: () => 'https://www.site.example/article/',
      host: () => 'www.site.example',
      path: () => '/article/',
      isEmbedded: () => false,
      title: () => 'Article',
      referrer: () => '',
      userAgent: () => 'Browser',
      hidden: () => hidden,
      online: () => true,
      scrollDepth: () => 0.5,
      adIn: () => undefined,
      global: (name) => facts.globals?.[name],
      dispatch: (name) => void dispatched.push(name),
      mark: () => undefined,
      post: (message) => void posted.push(message),
      ...facts.page,
    },
    listen,
    tabs: { message$: NEVER, post: () => undefined },
    now: facts.now ?? (() => now),
    yieldThread: facts.yieldThread ?? (() => of(undefined)),
    // In virtual time too.
    endOfTask: () => scheduled([undefined], asapScheduler),
    random: () => 0,
    newId: () => uuid((ids += 1)),
    loadPixel: (url) => void pixels.push(url),
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
    eraseStore: () =>
      defer(() => {
        erasures += 1;
        return EMPTY;
      }),
    jar,
    requests,
    engines,
    dispatched,
    pixels,
    scripts,
    posted,
    records,
    listening,
    fire,
    erasures: () => erasures,
    setNow: (ms) => void (now = ms),
    setHidden: (isHidden) => void (hidden = isHidden),
  };
};

/** The nth id that the platform makes: a UUID of version 4. */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/**
 * The answer of a server that takes all events of a request and knows nothing of place and content; an empty list to
 * any other request.
 */
export const takenAnswer = ({ url, body }: HttpRequest): HttpAnswer => {
  if (/geoip|watson/.test(url)) return { status: 200, body: '{}' };
  const events = url.includes('/batch/events') ? (JSON.parse(body ?? '[]') as unknown[]) : [];
  return { status: 200, body: JSON.stringify(events.map(() => ({ code: 200 }))) };
};

const taken = (request: HttpRequest): Observable<HttpAnswer> => of(takenAnswer(request));

const writeCookie = (jar: Map<string, string>, cookie: string): void => {
  const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
  if (cookie.includes('expires=Thu, 01 Jan 1970')) jar.delete(name);
  else jar.set(name, decodeURIComponent(value));
};

const fakeListeners = (): Pick<FakePlatform, 'listen' | 'listening' | 'fire'> => {
  const events$ = new Subject<readonly [name: string, event: unknown]>();
  const names: string[] = [];
  const listen: Listen = (target, type) =>
    defer(() => {
      const [name, event$] = [`${target} ${type}`, new Subject<unknown>()];
      names.push(name);
      const hearing = events$.subscribe(([fired, event]) => {
        if (fired === name) event$.next(event);
      });
      return event$.pipe(
        finalize(() => {
          names.splice(names.indexOf(name), 1);
          hearing.unsubscribe();
        }),
      );
    });
  return {
    listen,
    listening: () => [...names].sort(),
    fire: (target, type, event = {}) => events$.next([`${target} ${type}`, event]),
  };
};

const fakeEngine = (): { readonly link: EngineLink; readonly engine: FakeEngine } => {
  const said$ = new Subject<unknown>();
  const heard: { type: string }[] = [];
  let [isOpen, listeners] = [true, 0];
  const message$ = defer(() => {
    listeners += 1;
    return said$.pipe(
      finalize(() => {
        listeners -= 1;
        isOpen = listeners > 0;
      }),
    );
  });
  return {
    link: {
      message$,
      send: (message) => {
        if (isOpen) heard.push(message as { type: string });
      },
    },
    engine: { heard, say: (message) => said$.next(message), isOpen: () => isOpen },
  };
};
