import type { BrowserContext } from 'playwright-core';

import { type BrowserName, browserName } from './browserName';
import { ownFirefox } from './firefox';
import { ownChromium } from './ownChromium';
import { launchWebkit } from './webkit/launch';

/** A browser with a profile on disk that can be killed, and started again with what was on disk by then. */
export interface OwnBrowser {
  readonly start: () => Promise<BrowserContext>;
  /** SIGKILL to the whole browser: nothing is written any more. */
  readonly kill: () => Promise<void>;
  /** Ends it and removes the profile. */
  readonly remove: () => Promise<void>;
}

/** A WebKit that WebDriver has started keeps nothing, so no test kills it. */
const ownWebkit = (): OwnBrowser => {
  let running: BrowserContext | undefined;
  const end = async (): Promise<void> => running?.close();
  return { start: async () => (running = await (await launchWebkit()).newContext()), kill: end, remove: end };
};

const own: Readonly<Record<BrowserName, () => OwnBrowser>> = {
  chromium: ownChromium,
  firefox: ownFirefox,
  webkit: ownWebkit,
};

/** The browser of this run. */
export const ownBrowser = (): OwnBrowser => own[browserName]();
