import type { AddonDeps, AddonStreams } from '../addons/addon';

/** How an addon is tried. */
export interface AddonCheck {
  /** What the page gives `permutive.addon(name, options)`. */
  readonly options?: unknown;
  /** `c` of the activations that the addon is given, one per trigger. */
  readonly config?: Readonly<Record<string, unknown>>;
  /**
   * The addon applies the project's options even where the page does not start it: acting before the start is no fault.
   */
  readonly servesUnstarted?: boolean;
  /** Streams and deps that replace those of the check. */
  readonly streams?: Partial<AddonStreams>;
  readonly deps?: Partial<AddonDeps>;
}
