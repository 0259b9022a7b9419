import type { Observable } from 'rxjs';

import type { Json } from '../hardening/json';
import type { Settings } from '../model/config';
import type { EngineCommand } from '../model/engineCommands';
import type { Layer } from '../model/overlay';
import type { Report } from '../model/report';

/** One request to a server. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Sent as text/plain, because any other type costs a preflight request. */
  readonly body?: string;
  /** Whether cookies are sent with it. Default: no. */
  readonly credentials?: boolean;
  /** `binary` asks for an ArrayBuffer; the other two for a text, which the caller parses. */
  readonly responseType: 'json' | 'text' | 'binary';
  /** The request may outlive the page. Browsers allow 64 KiB of such requests at a time. */
  readonly keepalive?: boolean;
}

/** An answer of any HTTP status, failures included. */
export interface HttpAnswer {
  readonly status: number;
  /** `Retry-After` in ms, where the server sent one and the browser shows it. */
  readonly retryAfterMs?: number;
  /**
   * An ArrayBuffer where binary was asked for and the status is 2xx, else text. Always read to its end, else
   * connections starve.
   */
  readonly body: string | ArrayBuffer;
}

/** Requests to servers. */
export interface Http {
  /**
   * Cold: sends at subscription, aborts at unsubscription. One answer. Errors with `NetworkError` where no answer came,
   * and with `AnswerSizeError` where the answer is larger than 1 MB.
   */
  readonly send: (request: HttpRequest) => Observable<HttpAnswer>;
  /**
   * Queues a POST with the browser, which sends it even after the page. There is no answer. False when the browser
   * refused. The browser adds the site's cookies where the server is on the site's own host, so it is for events whose
   * request with keepalive has failed, and for nothing else.
   */
  readonly beacon: (url: string, body: string) => boolean;
}

/**
 * Text by key, read and written at once. Never throws: what the browser does not store is kept in memory for this page.
 */
export interface TextStorage {
  /** The text; null where there is none. */
  readonly read: (key: string) => string | null;
  /** Answers why the browser did not store the text; `undefined` where it did. */
  readonly write: (key: string, text: string) => WriteFailure | undefined;
  readonly remove: (key: string) => void;
  /** All keys of the storage, those of the page included. */
  readonly keys: () => readonly string[];
}
/** Why the browser did not store a text: no room, or no storage at all. */
export type WriteFailure = 'quota' | 'unavailable';

/**
 * Text by key, read and written asynchronously. Each operation is cold and emits once. Errors: `QuotaError` when there
 * is no room, others where the store fails.
 */
export interface KeyValueStore {
  /** The text; null where there is none, empty where it cannot be read. */
  readonly read: (key: string) => Observable<string | null>;
  readonly write: (key: string, text: string) => Observable<void>;
}

/** Some events of one list, as a JSON list. Records are added, read and removed, never changed. */
export interface EventRecord {
  /** Begins with the name of its list. What follows is the store's own. */
  readonly key: string;
  /** Empty where the record cannot be read. */
  readonly text: string;
}

/** A stored text, and the mark of the write that has stored it. */
export interface StoredText {
  /** As `read` of the store gives it. */
  readonly text: string | null;
  /** For `swap` of the same store. */
  readonly version: unknown;
}

/** A store that several tabs write to. Errors as `write` does. */
export interface SharedStore extends KeyValueStore {
  /** As `read`, with the version of the text. */
  readonly readVersion: (key: string) => Observable<StoredText>;
  /**
   * Writes a text where the stored one is still of this version, in one step: no write of another tab comes between.
   * Answers whether it was.
   */
  readonly swap: (key: string, version: unknown, text: string) => Observable<boolean>;
}

/** State by key, and records of events in two lists: previous pages and this page. */
export interface EventStore extends SharedStore {
  /** All records of both lists. */
  readonly records: () => Observable<readonly EventRecord[]>;
  /**
   * Removes the records `stale` and adds others in one step. Where one of `stale` has gone already, another tab has
   * done the same: then nothing happens. Answers the keys of the added records.
   */
  readonly replace: (
    stale: readonly string[],
    fresh: readonly (readonly [list: string, text: string])[],
  ) => Observable<readonly string[]>;
  /** Removes all records of events. State stays. */
  readonly clear: () => Observable<void>;
}

/**
 * Texts by key on disk, for accepted events. Each operation is cold and asynchronous, and errors where the disk or the
 * browser fails.
 */
export interface Journal {
  readonly keys: () => Observable<readonly string[]>;
  /** The text, or whatever else is stored there. Only the SDK writes it, but disks fail. */
  readonly read: (key: string) => Observable<unknown>;
  /**
   * Makes all changes in one transaction; null removes the key. Emits when the texts would survive a crash.
   * `isUnloading`: this may be the last task of the page.
   */
  readonly write: (changes: ReadonlyMap<string, string | null>, isUnloading?: boolean) => Observable<unknown>;
  /**
   * Removes all records, and the journal itself unless it is written to meanwhile. Completes also where there is no
   * journal.
   */
  readonly erase: () => Observable<never>;
}

/** The page's cookies. */
export interface CookieJar {
  /** The decoded value; undefined where there is no such cookie, or no cookies at all. */
  readonly read: (name: string) => string | undefined;
  /** Writes one finished `document.cookie` string. */
  readonly write: (cookie: string) => void;
}

/** The page at this moment. Each function reads anew, because pages change their address and title. */
export interface Page {
  readonly url: () => string;
  /** Host name, without port. */
  readonly host: () => string;
  /** Path of the address, without query. */
  readonly path: () => string;
  /** Whether the page is in a frame, and one of the pages around it is of another origin. */
  readonly isEmbedded: () => boolean;
  readonly title: () => string;
  readonly referrer: () => string;
  readonly userAgent: () => string;
  /** Whether the visitor cannot see the page at this moment. */
  readonly hidden: () => boolean;
  /** False only where the browser knows that there is no network. */
  readonly online: () => boolean;
  /** Whether the browser sends Global Privacy Control. */
  readonly privacyControl: () => boolean;
  /** How far down the page the lower edge of the window is: 0 to 1. */
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

/** An ad as it can be seen from outside its frames, which are of other origins. */
export interface AdElement {
  /** The windows of its frames, to compare with the source of a message. */
  readonly windows: readonly unknown[];
  /** Whether one of its frames has the focus. */
  readonly hasFocus: boolean;
  /** Whether the target of a DOM event is the element or inside it. Events inside its frames are not seen. */
  readonly holds: (event: unknown) => boolean;
}

/**
 * DOM events of that type, while subscribed. Listeners are passive, and capture events, so that elements of the page
 * cannot keep an event from them. Errors for `navigation` and `cookieStore` where the browser lacks them, or the page
 * has replaced them.
 */
export type Listen = (
  target: 'window' | 'document' | 'navigation' | 'cookieStore',
  type: string,
) => Observable<unknown>;

/**
 * Emits what `read` finds on the page, at once or when it appears, however late, and completes. Where nothing is found
 * for `waitMs`, it emits undefined once, and goes on looking. Cold; errors with what `read` throws.
 */
export type Appears = <A>(read: () => A | undefined, waitMs: number) => Observable<A | undefined>;

/** Messages among the tabs of the origin, where the browser has a way for them. */
export interface TabChannel {
  /** Messages of other tabs, not decoded, while the page is shown or hidden, but not in the back-forward cache. */
  readonly message$: Observable<unknown>;
  /** Sends a message to all other tabs that listen. This tab may hear it too. Never throws. */
  readonly post: (message: unknown) => void;
}

/** A connection with the engine, wherever it runs. Unsubscribing from `message$` ends the engine. */
export interface EngineLink {
  /** Messages of the engine, not decoded. Subscribing starts the engine. For one subscriber. */
  readonly message$: Observable<unknown>;
  /** Sends a message to the engine. Messages of one turn travel together. */
  readonly send: (message: EngineCommand) => void;
}

/** A browser, as the SDK sees it. Code outside this folder reaches the browser only through it. */
export interface Platform {
  readonly http: Http;
  /** Local storage. */
  readonly local: TextStorage;
  /** Session storage, which ends with the tab. */
  readonly session: TextStorage;
  readonly cookies: CookieJar;
  readonly page: Page;
  /** Listens to DOM events. */
  readonly listen: Listen;
  readonly tabs: TabChannel;
  /** Ms since 1970. */
  readonly now: () => number;
  /** Emits once, after painting and what the visitor does had their turn in the page's thread. Cold. */
  readonly yieldThread: () => Observable<unknown>;
  /** Emits once, in a microtask at the end of this task, before the browser does anything else. Cold. */
  readonly endOfTask: () => Observable<unknown>;
  /** A random number from 0 to 1, 1 excluded. */
  readonly random: () => number;
  /** A new UUID version 4. */
  readonly newId: () => string;
  /**
   * Requests a pixel at once. Emits once: true as soon as the request counts as made, false where it has failed: the
   * page's policy, a blocker, no network.
   */
  readonly loadPixel: (url: string) => Observable<boolean>;
  /** Runs a script in the page. False where the page's policy refuses it; throws what the script throws. */
  readonly runScript: (code: string) => boolean;
  /** Starts the engine in a worker, or on the page where that is refused. */
  readonly openEngine: () => EngineLink;
  /** Opens a layer above the page, at that z-index. */
  readonly openLayer: (zIndex: number) => Layer;
  /** Accepted events on disk until the server has answered for them. */
  readonly journal: Journal;
  /**
   * Takes a name among the tabs of the origin, and holds it while subscribed. Emits whether the name was free. Where
   * the name was taken, the stream completes.
   */
  readonly hold: (name: string) => Observable<boolean>;
  /** Removes the encrypted store. May never complete, where another tab holds the database open. */
  readonly eraseStore: () => Observable<never>;
}

/** The browser, and the tools of all parts of the SDK. A function that takes only some of it names those fields. */
export interface Tools extends Platform {
  /** Reads a setting as it is now: the tab's value, else the page's, else the project's, else the default. */
  readonly setting: Settings;
  /** Waits for what scripts of the page bring: ad tags, consent platforms. */
  readonly appears: Appears;
  /** JSON as it was before the page could change it. */
  readonly json: Json;
  /** Reports an error to the console and to telemetry. The function never throws. */
  readonly report: Report;
}
