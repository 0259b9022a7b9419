import type { Observable } from 'rxjs';

import type { Activation } from '../model/activation';
import type { Cohorts } from '../model/cohorts';
import type { Settings } from '../model/config';
import type { CriteriaContext } from '../model/contextCriteria';
import type { Transition } from '../model/engineCommands';
import type { Event, EventDraft } from '../model/event';
import type { IdentityState } from '../model/identity';
import type { Layer } from '../model/overlay';
import type { FormContent, LinkClick, PageExit, PageMessage } from '../model/pageSignal';
import type { Report } from '../model/report';
import type { Tcf } from '../model/tcf';
import type { PollOptions } from '../operators/creators/poll';
import type { AdElement } from '../platform/platform';

/** The streams every addon may read. States start with their current value; the rest is hot: an addon sees what happens after it starts. */
export interface AddonStreams {
  readonly event$: Observable<Event>;
  /** Memberships gained and lost, as they are published. */
  readonly transition$: Observable<Transition>;
  /** The same, for an addon that starts late: those since the visit began come first. */
  readonly transitionsSinceInit$: Observable<Transition>;
  /** State: who the visitor is to advertisers; the last page's until this page's own are known. */
  readonly cohorts$: Observable<Cohorts>;
  /** State: id of the view. */
  readonly view$: Observable<string>;
  readonly pageExit$: Observable<PageExit>;
  /** The visitor moved the mouse, clicked or scrolled. */
  readonly activity$: Observable<unknown>;
  /** DOM events of that type, anywhere in the document. */
  readonly listen: (type: string) => Observable<unknown>;
  readonly formSubmission$: Observable<FormContent>;
  readonly linkClick$: Observable<LinkClick>;
  /**
   * Emits an ad tag of the page once it runs the commands of its queue, and completes; errors with `PollError` when the page has
   * none to the end of the wait. `names`: the globals it may be, asked at each attempt.
   */
  readonly fromTag: <Tag>(names: () => readonly string[], queueName: string, wait: PollOptions) => Observable<Tag>;
  /** State: codes of the page by platform, whoever the visitor is. The server is asked when the first addon listens. */
  readonly contextual$: Observable<Readonly<Record<string, readonly string[]>>>;
  /** What was posted to the page's window, by anybody. */
  readonly message$: Observable<PageMessage>;
  /** The visitor's attention went into a frame, another window or another tab. */
  readonly focusLoss$: Observable<unknown>;
  /** State: what the page's consent platform says, from its first answer on; `vendorConsent` reads it for one vendor. */
  readonly tcf$: Observable<Tcf>;
  /** State: the visitor's identities. */
  readonly identities$: Observable<IdentityState>;
}

/** What an addon may do to the world, and nothing else. */
export interface AddonDeps {
  readonly report: Report;
  /** What the project says of this addon, whether the page starts it or not. */
  readonly configured: Readonly<Record<string, unknown>>;
  /** The addon's lines of the project's activation list. */
  readonly activations: readonly Activation[];
  /** The client context of this moment with `path` and `view_id`, for context criteria. */
  readonly context: () => CriteriaContext;
  readonly now: () => number;
  /** The page is in the foreground. */
  readonly isVisible: () => boolean;
  /** How far down the page the visitor is: 0 to 1. */
  readonly scrollDepth: () => number;
  /** Who and where, at this moment. */
  readonly visitor: () => {
    readonly userId: string;
    readonly viewId: string;
    readonly workspaceId: string;
    readonly sdkType: string;
  };
  /** Codes of the visitor's cohorts for a platform (`dfp`, `appnexus_adserver`, …). */
  readonly codesFor: (platform: string, cohorts: Cohorts) => readonly string[];
  /** Cohort ids as ad platforms name them: short codes, without suffix. */
  readonly codesOf: (ids: readonly string[]) => readonly string[];
  /** What an addon remembers of itself from page to page; null on its first run. */
  readonly recall: (name: string) => unknown;
  readonly remember: (name: string, value: unknown) => void;
  /** What local storage holds under the key, as JSON; null where that is nothing or no JSON. */
  readonly readKey: (key: string) => unknown;
  /** Local storage, as JSON. */
  readonly writeKey: (key: string, value: unknown) => void;
  /** Asks for an image, and forgets it. Throws where there is none to ask for. */
  readonly loadPixel: (url: string) => void;
  /** Runs a script of the publisher's in the page. False where the page's policy refuses it; throws what the script throws. */
  readonly runScript: (code: string) => boolean;
  /** A place of the addon's own above everything else on the page, at that stacking order. */
  readonly openLayer: (zIndex: number) => Layer;
  /** A cookie of the site, as JSON, for as long as the id cookie. */
  readonly writeCookie: (name: string, value: unknown) => void;
  /** Puts what the page may call on `permutive.addons[name]`, over what the last visit has put there. It must not throw. */
  readonly expose: (methods: object) => void;
  /** Takes the key from local storage, and the cookie of that name. */
  readonly forget: (name: string) => void;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly setting: Settings;
  /** Origin of the page. */
  readonly origin: () => string;
  /** `window[name]` as it is now; `undefined` where reading it throws. */
  readonly global: (name: string) => unknown;
  /** The ad in an element of the page; undefined where there is no such element. */
  readonly adIn: (elementId: string) => AdElement | undefined;
}

/** What all addons have in common; the rest is each one's own. */
export type CommonDeps = Omit<AddonDeps, 'activations' | 'configured' | 'expose'>;

/**
 * One partner: reads streams, acts on the world only through `deps`, and emits the events it wants tracked.
 * It never subscribes; `runtime.ts` does, once, for all of them.
 */
export interface Addon<Options> {
  /** Name on the wire and in `permutive.addon(name)`. */
  readonly name: string;
  /** Starts by itself when the project has it; `auto_init: false` of its options turns that off. */
  readonly autoInit: boolean;
  /** Takes what is right of the page's options, tells `onFault` what is wrong, and fills in defaults. */
  readonly options: (input: unknown, onFault: (cause: unknown) => void) => Options;
  /** `options$`: the options of each `permutive.addon(name, options)`, the first at once. */
  readonly run: (streams: AddonStreams, options$: Observable<Options>, deps: AddonDeps) => Observable<EventDraft>;
}

/** Any addon, whatever its options. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an addon's options are its own: what `options` makes, `run` takes
export type AnyAddon = Addon<any>;
