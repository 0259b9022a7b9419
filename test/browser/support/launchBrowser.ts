import type { Browser } from 'playwright-core';

import { browserName } from './browserName';
import { launchChromium } from './chromium';
import { launchFirefox } from './firefox';

/** The browser of this run. */
export const launchBrowser = (): Promise<Browser> => (browserName === 'firefox' ? launchFirefox() : launchChromium());
