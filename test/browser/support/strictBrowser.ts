import type { Browser, BrowserContext } from 'playwright-core';

import { type BrowserName, browserName } from './browserName';
import { ownFirefox } from './firefox';
import { ownChromium } from './ownChromium';
import type { ProfiledBrowser } from './profiledBrowser';
import { ownWebkit } from './webkit/launch';

/**
 * What the visitor lets sites store: frames of other sites have a storage of their own under each site, as browsers
 * come; or such frames store nothing; or no site stores anything.
 */
type Stored = 'apart' | 'own site' | 'nothing';

/**
 * Settings of Chromium, as its settings page writes them. A frame of another site has a storage of its own there even
 * where the visitor refuses its cookies, so the host of the frame itself is refused.
 */
const ofChromium: Readonly<Record<Stored, object>> = {
  apart: {},
  'own site': {
    profile: { content_settings: { exceptions: { cookies: { '[*.]embedded.localhost,*': { setting: 2 } } } } },
  },
  nothing: { profile: { default_content_setting_values: { cookies: 2 } } },
};

/** Values of Firefox's setting `network.cookie.cookieBehavior`. */
const ofFirefox: Readonly<Record<Stored, number>> = { apart: 5, 'own site': 1, nothing: 2 };

const browserOf: Readonly<Record<BrowserName, (stored: Stored) => ProfiledBrowser>> = {
  chromium: (stored) => ownChromium(ofChromium[stored]),
  firefox: (stored) => ownFirefox({ 'network.cookie.cookieBehavior': ofFirefox[stored] }),
  // Frames of other sites always have a storage of their own there.
  webkit: (stored) => ownWebkit({ refusesStorage: stored === 'nothing' }),
};

/** A browser in which the visitor has this setting. Each of its contexts is a process of its own. */
export const strictBrowser = (stored: Stored): Pick<Browser, 'newContext'> => ({
  newContext: async (): Promise<BrowserContext> => {
    const browser = browserOf[browserName](stored);
    return Object.assign(await browser.start(), { close: browser.remove });
  },
});
