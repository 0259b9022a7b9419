import type { AddonDeps, AddonStreams } from '../addons/addon';

/** How an addon is checked. */
export interface AddonCheck {
  /** What the page gives `permutive.addon(name, options)`. Default: `{}`. */
  readonly options?: unknown;
  /** `c` of the activations that the addon is given, one per trigger. */
  readonly config?: Readonly<Record<string, unknown>>;
  /**
   * The addon applies the project's options even where the page does not start it, so acting before the start is no
   * fault.
   */
  readonly servesUnstarted?: boolean;
  /** Streams that replace those of the check. They are not counted. */
  readonly streams?: Partial<AddonStreams>;
  /** Deps that replace those of the check. Their effects are not recorded. */
  readonly deps?: Partial<AddonDeps>;
}
