import type { Page } from 'playwright-core';

import { browserName } from './browserName';
import { crashPages } from './firefox';

/** Ends the page's process, and waits until it has ended. In Firefox those of all pages end. */
export const crash = async (page: Page): Promise<void> => {
  if (browserName === 'firefox') return crashPages(page.context().browser());
  const crashed = page.waitForEvent('crash');
  const devtools = await page.context().newCDPSession(page);
  void devtools.send('Page.crash').catch(() => undefined);
  await crashed;
};
