import type { Browser, BrowserContext, Page } from 'playwright-core';

import { launchBrowser } from './launchBrowser';
import { type StudioFolder, studioFolder } from './studioFolder';

/** Studio on a publisher's folder, which each test gets anew. */
export interface Studio {
  readonly folder: StudioFolder;
  readonly context: BrowserContext;
  /** Opens a view of Studio in a new window. */
  readonly open: (path?: string) => Promise<Page>;
}

/** For the tests of one `describe`. A test fails when a page had an error. */
export const studioForTests = (): Studio => {
  let browser: Browser;
  let folder: StudioFolder;
  let context: BrowserContext;
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    folder = await studioFolder();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.on('weberror', (error) => errors.push(error.error().message));
    context.on('console', (message) => {
      // A conflict is an answer with an error status, of which the browser tells.
      if (message.type() === 'error' && !message.text().includes('409')) errors.push(message.text());
    });
  });
  afterEach(async () => {
    await context.close();
    await folder.close();
    expect(errors.splice(0)).toEqual([]);
  });
  return {
    get folder() {
      return folder;
    },
    get context() {
      return context;
    },
    open: async (path = '') => {
      const page = await context.newPage();
      await page.goto(folder.address.replace('#token=', `#${path}?token=`));
      await page.getByRole('heading', { name: 'Cohorts' }).first().waitFor({ state: 'attached' });
      return page;
    },
  };
};
