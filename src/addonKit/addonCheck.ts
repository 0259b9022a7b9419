import type { AddonDeps, AddonStreams } from '../addons/addon';

/** How an addon is checked. */
export interface AddonCheck {
  /** What the project definition and the page give the addon as options. Default: `{}`. */
  readonly options?: unknown;
  /** `c` of the activations that the addon is given, one per trigger. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Settings of the page. Default: none, so that each has its own default. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Globals of the page that the addon looks for, by name. Calls of their functions, at any depth, are effects.
   * Default: the page has none, and `fromTag` finds an empty object.
   */
  readonly page?: Readonly<Record<string, unknown>>;
  /** Hosts of the partner that a definition names when it names the addon. Default: none. */
  readonly hosts?: readonly string[];
  /**
   * TCF vendor that gets what the addon gives away. Not needed where the addon asks for the consent itself. Default:
   * none.
   */
  readonly vendorId?: number;
  /**
   * The addon applies the project's options even where the page does not start it, so acting before the start is no
   * fault.
   */
  readonly servesUnstarted?: boolean;
  /**
   * Longest time that a start may keep the page's thread, in ms of the machine that checks. Default: 10, which is about
   * 50 ms on a phone, where browsers begin to speak of a long task.
   */
  readonly startBudgetMs?: number;
  /** The time that starts are measured with, in ms. Default: `performance.now`. */
  readonly clock?: () => number;
  /** Streams that replace those of the check. The check does not count their subscriptions. */
  readonly streams?: Partial<AddonStreams>;
  /** Deps that replace those of the check. The check does not record the effects of these deps. */
  readonly deps?: Partial<AddonDeps>;
}
