import type { Observable } from 'rxjs';

import type { CohortStreams, PageStreams, VisitorStreams } from '../contracts/visitStreams';
import type { Activation } from '../model/activation';
import type { Cohorts } from '../model/cohorts';
import type { Settings } from '../model/config';
import type { CriteriaContext } from '../model/contextCriteria';
import type { Transition } from '../model/engineCommands';
import type { EventDraft } from '../model/event';
import type { Layer } from '../model/overlay';
import type { FormContent, LinkClick, PageMessage } from '../model/pageSignal';
import type { Report } from '../model/report';
import type { AdElement } from '../platform/platform';

/**
 * The streams that every addon may read. A stream marked «State» starts with its current value. The others are hot: an
 * addon sees what happens after it subscribes. All of them end when the visit ends or consent is withdrawn.
 */
export interface AddonStreams extends PageStreams, CohortStreams, VisitorStreams {
  /** As `transition$`, with those that a control group is not told of: for what the publisher's own server gets. */
  readonly evaluatedTransition$: Observable<Transition>;
  /** State: id of the view, a UUID. Another page view in the same document has another id. */
  readonly view$: Observable<string>;
  /** Emits when the visitor moves the mouse, clicks or scrolls. */
  readonly activity$: Observable<unknown>;
  /** DOM events of that type, such as `keydown`, anywhere in the document. */
  readonly listen: (type: string) => Observable<unknown>;
  /** Forms that were submitted, without the values of sensitive fields. */
  readonly formSubmission$: Observable<FormContent>;
  /** Links that were clicked. */
  readonly linkClick$: Observable<LinkClick>;
  /**
   * Emits an ad tag of the page once it runs the commands of its queue, and completes. Where no queue has appeared
   * within `waitMs`, `missing` is called once, and a queue that appears later is used all the same. `names` gives the
   * globals that the tag may be; it is called anew at each look.
   */
  readonly fromTag: <Tag>(
    names: () => readonly string[],
    queueName: string,
    waitMs: number,
    missing: (cause: Error) => void,
  ) => Observable<Tag>;
  /**
   * State: codes that describe the page, by platform; they do not depend on the visitor. The server is asked when the
   * first addon subscribes (spec S§7). Undefined in a view of another address, until its answer is there.
   */
  readonly contextual$: Observable<Readonly<Record<string, readonly string[]>> | undefined>;
  /** Messages that any script or frame has posted to the page's window. Check `origin` and `source` before use. */
  readonly message$: Observable<PageMessage>;
  /** The focus moved into a frame, another window or another tab. */
  readonly focusLoss$: Observable<unknown>;
}

/**
 * What an addon may do to the world, and nothing else: an addon never touches `window`. An effect may throw, because
 * the functions behind it belong to the page; `isolate` confines that to one event.
 */
export interface AddonDeps {
  /** Tells the provider of an error: a constant message, and the cause, from which personal data is removed. */
  readonly report: Report;
  /**
   * Options of this addon in the project definition, whether the page starts the addon or not. The options are not yet
   * validated.
   */
  readonly configured: Readonly<Record<string, unknown>>;
  /** Activations of this addon in the project definition. */
  readonly activations: readonly Activation[];
  /**
   * The client context of the view with `path` and `view_id`, for context criteria: the page as it was at the view's
   * Pageview, and before that as it is.
   */
  readonly context: () => CriteriaContext;
  /** Now, in ms since 1970. */
  readonly now: () => number;
  /** Emits once, after other work of the page's thread had its turn. For work that takes long on a slow phone. */
  readonly yieldThread: () => Observable<unknown>;
  /** Whether the page is in the foreground. */
  readonly isVisible: () => boolean;
  /** How far down the page the visitor has scrolled, from 0 to 1. */
  readonly scrollDepth: () => number;
  /** The ids of this moment, and the kind of SDK. */
  readonly visitor: () => {
    readonly userId: string;
    readonly viewId: string;
    readonly workspaceId: string;
    readonly sdkType: string;
  };
  /**
   * Codes of the visitor's cohorts for a platform (`dfp`, `appnexus_adserver`, …), in the form that its ad server gets.
   */
  readonly codesFor: (platform: string, cohorts: Cohorts) => readonly string[];
  /** Cohort ids as ad platforms name them: short codes, without suffix. */
  readonly codesOf: (ids: readonly string[]) => readonly string[];
  /** What an addon has kept under the name with `remember` on an earlier page; null on its first run. */
  readonly recall: (name: string) => unknown;
  /** Keeps a JSON value for later pages. */
  readonly remember: (name: string, value: unknown) => void;
  /** Reads a key of local storage as JSON; null where there is no such key, or no JSON under it. */
  readonly readKey: (key: string) => unknown;
  /** Writes a key of local storage as JSON. */
  readonly writeKey: (key: string, value: unknown) => void;
  /**
   * Requests a pixel at once, also where nothing listens to the answer. Emits once: true as soon as it is answered, or
   * has not failed within 1,000 ms; false where it has failed: the page's policy, a blocker, no network. Each call is a
   * request, whatever the browser has cached.
   */
  readonly loadPixel: (url: string) => Observable<boolean>;
  /**
   * Runs a script of the publisher in the page. False where the page's policy refuses it; throws what the script
   * throws.
   */
  readonly runScript: (code: string) => boolean;
  /**
   * Opens a layer of the addon's own above the page, at that z-index. Throws where there is no document to put it in.
   */
  readonly openLayer: (zIndex: number) => Layer;
  /** Writes a cookie of the site as JSON. The cookie lives as long as the id cookie. */
  readonly writeCookie: (name: string, value: unknown) => void;
  /**
   * Puts methods for the page on `permutive.addons[name]`, in place of those that the last visit has put there. The
   * methods must not throw.
   */
  readonly expose: (methods: object) => void;
  /** Removes the key from local storage, and the cookie of that name. */
  readonly forget: (name: string) => void;
  /** A random number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Reads a setting as it is now: pages change their settings after load. */
  readonly setting: Settings;
  /** Address of the page as it is now, with nothing redacted: to be compared, and neither stored nor sent. */
  readonly address: () => string;
  /** Nothing has happened in the view for so long that it is over (spec C§9). */
  readonly isViewOver: () => boolean;
  /** Origin of the page, such as `https://site.example`. */
  readonly origin: () => string;
  /** `window[name]` as it is now; `undefined` where reading it throws. */
  readonly global: (name: string) => unknown;
  /** The ad in an element of the page; undefined where there is no such element. */
  readonly adIn: (elementId: string) => AdElement | undefined;
}

/** The deps that are the same for all addons of a visit. */
export type CommonDeps = Omit<AddonDeps, 'activations' | 'configured' | 'expose'>;

/**
 * One partner. An addon reads streams, acts on the world only through `deps`, and emits the events that it wants
 * tracked. An addon never subscribes: the runtime does so once for all addons, and unsubscribes when the visit ends or
 * consent is withdrawn. An error of one addon is reported and ends that addon only.
 */
export interface Addon<Options> {
  /** Name in the project definition, on the wire, and in `permutive.addon(name)`. */
  readonly name: string;
  /** Whether the addon starts by itself in a project that has it. The option `auto_init: false` turns that off. */
  readonly autoInit: boolean;
  /**
   * Keeps the valid ones of the given options, reports each fault to `onFault`, and fills in defaults. Never throws.
   */
  readonly options: (input: unknown, onFault: (cause: unknown) => void) => Options;
  /**
   * Makes the addon's stream of events to track; it has no effect before it is subscribed to. `options$` emits the
   * options of each start: at once where the addon starts by itself, then with each `permutive.addon(name, options)` of
   * the page.
   */
  readonly run: (streams: AddonStreams, options$: Observable<Options>, deps: AddonDeps) => Observable<EventDraft>;
}

/** Any addon, whatever its options. */
// oxlint-disable-next-line typescript/no-explicit-any -- what an addon's `options` makes, its `run` takes
export type AnyAddon = Addon<any>;
