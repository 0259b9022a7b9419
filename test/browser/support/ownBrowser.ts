import type { BrowserContext } from 'playwright-core';

import { type BrowserName, browserName } from './browserName';
import { ownFirefox } from './firefox';
import { ownChromium } from './ownChromium';
import type { ProfiledBrowser } from './profiledBrowser';
import { launchWebkit } from './webkit/launch';

/** A WebKit that WebDriver has started keeps nothing, so no test kills it. */
const ownWebkit = (): ProfiledBrowser => {
  let running: BrowserContext | undefined;
  const end = async (): Promise<void> => running?.close();
  return { start: async () => (running = await (await launchWebkit()).newContext()), kill: end, remove: end };
};

const own: Readonly<Record<BrowserName, () => ProfiledBrowser>> = {
  chromium: ownChromium,
  firefox: ownFirefox,
  webkit: ownWebkit,
};

/** The browser of this run. */
export const ownBrowser = (): ProfiledBrowser => own[browserName]();
