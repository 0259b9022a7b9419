import type { BrowserContext } from 'playwright-core';

/** A browser with a profile on disk that can be killed, and started again with what was on disk by then. */
export interface ProfiledBrowser {
  readonly start: () => Promise<BrowserContext>;
  /** SIGKILL to the whole browser: nothing is written any more. */
  readonly kill: () => Promise<void>;
  /** Ends it and removes the profile. */
  readonly remove: () => Promise<void>;
}
