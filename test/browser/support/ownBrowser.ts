import { type BrowserName, browserName } from './browserName';
import { ownFirefox } from './firefox';
import { ownChromium } from './ownChromium';
import type { ProfiledBrowser } from './profiledBrowser';
import { ownWebkit } from './webkit/launch';

const own: Readonly<Record<BrowserName, () => ProfiledBrowser>> = {
  chromium: ownChromium,
  firefox: ownFirefox,
  webkit: ownWebkit,
};

/** The browser of this run. */
export const ownBrowser = (): ProfiledBrowser => own[browserName]();
