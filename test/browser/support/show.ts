import type { Page } from 'playwright-core';

/** What phones do when another app comes to the front, and when ours does again. */
export const show = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((visibility) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
