import type { Tag } from './api/tag';
import type { BundleFile, FileHashes } from './platform/bundleFiles';
import type { EngineWorkers } from './platform/engineWorkers';
import type { OwnScript } from './platform/ownScript';

/** What the gate hands to the main part, as a field of the script element that loads it. */
export interface HandOver {
  /** The page's tag, which the gate has taken. */
  readonly tag: Tag;
  /** What the page says of the gate's script element. */
  readonly script: Pick<OwnScript, 'nonce'>;
  /** Hashes of the files that the gate finds. The main part adds those of its chunks. */
  readonly hashes: FileHashes;
  /** Finds a file of this build by its name. */
  readonly fileOf: (name: string) => BundleFile;
  /** Runs a file of this build in the page, each time it is called. */
  readonly load: (name: string) => Promise<void>;
  /** The engine's workers, of which one may be open already. */
  readonly workers: EngineWorkers;
  /** Loads the check of natives where the page has replaced some by now, and answers whether it did. */
  readonly asksForCheck: () => boolean;
  /** Whether the visitor was not asked when the gate came. The page's console says so. */
  readonly wasUnasked: boolean;
  /** Says that the main part has taken over, so that the gate no longer keeps the calls of a page that is left. */
  readonly begin: () => void;
  /**
   * Takes what the start waits for, which the console says where the start still waits for it 10 s after the gate has
   * opened. Undefined: the start waits for nothing, or has said why it has ended.
   */
  readonly waitFor: (what: string | undefined) => void;
  /** Calls of the inspector's methods that were made before these were there. */
  readonly inspections: readonly (() => void)[];
}
