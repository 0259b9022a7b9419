import type { Page } from 'playwright-core';

import { browserName } from './browserName';
import { crashPages } from './firefox';
import type { WebkitPage } from './webkit/launch';

/** Ends the page's process, and waits until it has ended. In Firefox and WebKit those of all pages end. */
export const crash = async (page: Page): Promise<void> => {
  if (browserName === 'firefox') return crashPages(page.context().browser());
  if (browserName === 'webkit') return (page as unknown as WebkitPage).crash();
  const crashed = page.waitForEvent('crash');
  const devtools = await page.context().newCDPSession(page);
  void devtools.send('Page.crash').catch(() => undefined);
  await crashed;
};
