import type { Page } from 'playwright-core';

import { axeFindings } from './support/axe';
import { needs } from './support/needs';
import { studioForTests } from './support/studioForTests';
import { typeInto } from './support/typeInto';

describe('Studio', () => {
  const { open } = studioForTests();

  const isAccessible = async (colorScheme: 'light' | 'dark', width: number): Promise<void> => {
    /** Opens a view in a window of its own, and judges it after some steps. */
    const judge = async (path: string, steps: (page: Page) => Promise<unknown>): Promise<void> => {
      const page = await open(path);
      if (colorScheme === 'dark') await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await steps(page);
      expect([path, await axeFindings(page)]).toEqual([path, []]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect([path, overflow]).toEqual([path, 0]);
      await page.close();
    };
    await judge('/cohorts', () => Promise.resolve());
    await judge('/try', (page) => page.getByRole('heading', { name: 'Membership' }).waitFor());
    await judge('/cohort/20101/make', async (page) => {
      await page.locator('[data-test="cost"]').waitFor();
      await page.getByText('Group this condition').first().click();
      await page.getByRole('button', { name: 'All of these' }).first().click();
      await typeInto(page.getByLabel('Id', { exact: true }), '');
      await page.locator('.field .findings').first().waitFor();
    });
    // Of a cohort without a draft that cannot be counted.
    await judge('/cohort/20402/size', async (page) => {
      await page.getByText(/^Counted in/).waitFor();
      await page.getByText('The same as a table').click();
    });
    await judge('/cohort/20402/test', async (page) => {
      await page.getByLabel('found in the visits').check();
      await page.getByRole('button', { name: 'Find ten members' }).click();
      await page.locator('.found button').first().click();
      await page.locator('[data-test="explain"]').waitFor();
    });
    await judge('/cohort/20101/buyers', async (page) => {
      await typeInto(page.getByLabel('Words of its name, or its id'), 'sports');
      await page.getByRole('button', { name: /^Add / }).first().waitFor();
    });
    await judge('/publish', async (page) => {
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByRole('table', { name: 'Files in the order' }).waitFor();
    });
  };
  for (const width of [1280, 360]) {
    needs('unfoldedStudio')(`has nothing that axe finds, and fits: light, ${width} px`, () =>
      isAccessible('light', width),
    );
    needs('unfoldedStudio', 'mediaFeatures')(`has nothing that axe finds, and fits: dark, ${width} px`, () =>
      isAccessible('dark', width),
    );
  }
});
