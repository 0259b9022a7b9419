import type { Browser } from 'playwright-core';

import { type BrowserName, browserName } from './browserName';
import { launchChromium } from './chromium';
import { launchFirefox } from './firefox';
import { launchWebkit } from './webkit/launch';

const launch: Readonly<Record<BrowserName, () => Promise<Browser>>> = {
  chromium: launchChromium,
  firefox: launchFirefox,
  webkit: launchWebkit,
};

/** The browser of this run. */
export const launchBrowser = (): Promise<Browser> => launch[browserName]();
