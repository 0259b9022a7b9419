import type { Page } from 'playwright-core';

/** Follows a link to a blank page, so that the browser may keep the page before in its back-forward cache. */
export const followLink = async (page: Page): Promise<void> => {
  const loaded = page.waitForEvent('load');
  await page.evaluate(() => {
    const link = document.body.appendChild(document.createElement('a'));
    // Each address is another one, because a link to the present address makes no entry of the history.
    link.href = `/blank?${performance.timeOrigin}`;
    link.click();
  });
  await loaded;
};
