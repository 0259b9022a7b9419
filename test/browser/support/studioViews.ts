import type { Page } from 'playwright-core';

/** Shows a view of Studio in a page that is open. */
const show = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = `#${to}?token=${/token=([^&]+)/.exec(location.hash)?.[1] ?? ''}`;
  }, path);

/** By name, how each view of Studio is brought to where there is something to see. The page has Studio open. */
export const studioViews = {
  cohorts: async (page) => {
    await show(page, '/cohorts');
    await page.getByRole('heading', { name: 'Cohorts' }).waitFor();
  },
  make: async (page) => {
    await show(page, '/cohort/20402/make');
    await page.locator('[data-test="cost"]').waitFor();
  },
  size: async (page) => {
    await show(page, '/cohort/20402/size');
    await page.getByText(/^Counted in/).waitFor();
  },
  test: async (page) => {
    await show(page, '/cohort/20402/test');
    await page.getByLabel('found in the visits').check();
    await page.getByRole('button', { name: 'Find ten who just miss it' }).click();
    await page.locator('.found button').first().click();
    await page.locator('[data-test="explain"]').waitFor();
    await page.getByRole('button', { name: '7 days later' }).click();
  },
  buyers: async (page) => {
    await show(page, '/cohort/20101/buyers');
    await page.getByLabel('Words of its name, or its id').fill('economy');
    await page.getByRole('button', { name: /^Add / }).first().waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
  try: async (page) => {
    await show(page, '/try');
    await page.locator('[data-test="explain"]').waitFor();
    await page.getByRole('button', { name: 'Previous change' }).click();
    await page.evaluate(() => scrollTo(0, 0));
  },
  publish: async (page) => {
    await show(page, '/publish');
    await page
      .locator('[data-test="compared"]')
      .getByText(/visitors|nothing/)
      .waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('table', { name: 'Files in the order' }).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
} as const satisfies Readonly<Record<string, (page: Page) => Promise<void>>>;
