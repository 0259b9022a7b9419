import type { Observable } from 'rxjs';

import type { Layer } from '../model/overlay';

/** The world, as everything outside this folder sees it. */

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Sent as text/plain: anything else would cost a preflight. */
  readonly body?: string;
  /** Cookies travel with it. */
  readonly credentials?: boolean;
  readonly responseType: 'json' | 'text' | 'binary';
  /** The request may outlive the page; browsers allow 64 KiB of these at a time. */
  readonly keepalive?: boolean;
}

/** An answer of any status. */
export interface HttpAnswer {
  readonly status: number;
  /** `Retry-After` in ms, where the server sent one and the browser shows it. */
  readonly retryAfterMs?: number;
  /** Text, or an ArrayBuffer when binary was asked for. Always read to its end, else connections starve. */
  readonly body: string | ArrayBuffer;
}

/** Requests to servers. */
export interface Http {
  /** Cold: sends at subscription, aborts at unsubscription. Errors where no answer came. */
  readonly send: (request: HttpRequest) => Observable<HttpAnswer>;
  /** Queues text with the browser; false when it refused. */
  readonly beacon: (url: string, body: string) => boolean;
}

/** Text by key. Never throws: what cannot be stored is reported once and kept in memory. */
export interface TextStorage {
  readonly read: (key: string) => string | null;
  /** Answers why the browser refused; `undefined` where the text is stored. */
  readonly write: (key: string, text: string) => WriteFailure | undefined;
  readonly remove: (key: string) => void;
  /** All keys of the storage, those of the page included. */
  readonly keys: () => readonly string[];
}
/** Why the browser did not store a text: no room, or no storage at all. */
export type WriteFailure = 'quota' | 'unavailable';

/** Text by key, read and written in its own time. Errors: `QuotaError` when there is no room. */
export interface KeyValueStore {
  readonly read: (key: string) => Observable<string | null>;
  readonly write: (key: string, text: string) => Observable<void>;
}

/** Some events, as a JSON list. Records are added, read and removed, never changed. */
export interface EventRecord {
  /** The list it belongs to, and what more the store needs to find it. */
  readonly key: string;
  /** Empty where it cannot be read. */
  readonly text: string;
}

/** State by key, and records of events in two lists: previous pages and this page. */
export interface EventStore extends KeyValueStore {
  /** All records of both lists. */
  readonly records: () => Observable<readonly EventRecord[]>;
  /**
   * Removes some and adds others in one step; nothing where one to be removed has gone already, for then another tab
   * has done it. Answers the keys of those added.
   */
  readonly replace: (
    stale: readonly string[],
    fresh: readonly (readonly [list: string, text: string])[],
  ) => Observable<readonly string[]>;
  /** Removes everything but these keys. */
  readonly clear: (except: ReadonlySet<string>) => Observable<void>;
}

/** Texts by key on disk. Each operation answers in its own time, or errors. */
export interface Journal {
  readonly keys: () => Observable<readonly string[]>;
  /** The text, or whatever else stands there; nobody but us writes it, but disks fail. */
  readonly read: (key: string) => Observable<unknown>;
  /** All at once; null removes. Answers when what it wrote would survive a crash. */
  readonly write: (changes: ReadonlyMap<string, string | null>) => Observable<unknown>;
  /** Removes all there is; completes also where that is nothing. */
  readonly erase: () => Observable<never>;
}

/** The page's cookies. */
export interface CookieJar {
  readonly read: (name: string) => string | undefined;
  /** Writes one finished `document.cookie` string. */
  readonly write: (cookie: string) => void;
}

/** What the page says of itself at this moment. */
export interface Page {
  readonly url: () => string;
  readonly host: () => string;
  readonly path: () => string;
  readonly title: () => string;
  readonly referrer: () => string;
  readonly userAgent: () => string;
  /** Whether the visitor cannot see the page at this moment. */
  readonly hidden: () => boolean;
  /** False where the browser knows that there is no network. */
  readonly online: () => boolean;
  /** How far down the page the visitor is: 0 to 1. */
  readonly scrollDepth: () => number;
  /** The ad in the element with this id; undefined where there is no such element. */
  readonly adIn: (elementId: string) => AdElement | undefined;
  /** `window[name]` as it is now; `undefined` where reading it throws. */
  readonly global: (name: string) => unknown;
  /** Dispatches a CustomEvent on `window`. */
  readonly dispatch: (name: string, detail: unknown) => void;
  /** Marks this moment in the browser's performance timeline. */
  readonly mark: (name: string) => void;
  /** Posts a message to the page's own window, for the page's own origin only. */
  readonly post: (message: unknown) => void;
}

/** What can be seen of an ad from outside. */
export interface AdElement {
  /** Windows of its frames. */
  readonly windows: readonly unknown[];
  /** One of its frames has the focus. */
  readonly hasFocus: boolean;
  /** The event happened on the element itself, outside its frames. */
  readonly holds: (event: unknown) => boolean;
}

/** Listens while subscribed. */
export type Listen = (target: 'window' | 'document', type: string) => Observable<unknown>;

/** A conversation with the engine, wherever it runs. Unsubscribing from `message$` ends it. */
export interface EngineLink {
  /** What the engine says. Subscribing starts it. */
  readonly message$: Observable<unknown>;
  /** Tells the engine something. What is sent in one turn travels together. */
  readonly send: (message: unknown) => void;
}

/** What the SDK needs of a browser. Everything outside this folder reaches the browser through it. */
export interface Platform {
  readonly http: Http;
  /** Local storage. */
  readonly local: TextStorage;
  /** Session storage, which ends with the tab. */
  readonly session: TextStorage;
  readonly cookies: CookieJar;
  readonly page: Page;
  readonly listen: Listen;
  /** Ms since 1970. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** A new UUID version 4. */
  readonly newId: () => string;
  /** Asks for an image, and forgets it. */
  readonly loadPixel: (url: string) => void;
  /** Runs a script in the page, as its policy allows. False where it does not; throws what the script throws. */
  readonly runScript: (code: string) => boolean;
  /** Starts the engine in a worker, or on the page where that is refused. */
  readonly openEngine: () => EngineLink;
  /** Puts a layer of our own above everything else on the page, at that stacking order. */
  readonly openLayer: (zIndex: number) => Layer;
  /** Accepted events on disk until the server has answered for them. */
  readonly journal: Journal;
  /**
   * Takes a name among the tabs of the origin, while subscribed. Emits whether it was free; completes where it was not.
   */
  readonly hold: (name: string) => Observable<boolean>;
  /** Removes what the encrypted store holds. */
  readonly eraseStore: () => Observable<never>;
}
