import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { siteOf } from '../../scripts/site/site';
import { launchBrowser } from './support/launchBrowser';

const folder = mkdtempSync(join(tmpdir(), 'docs-'));
const file = join(folder, 'index.html');
let browser: Browser;
let context: BrowserContext;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  writeFileSync(file, siteOf(resolve(__dirname, '../..'), { settings: '| a |\n| --- |', storage: '| a |\n| --- |' }));
  browser = await launchBrowser();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('request', (request) => {
    if (!request.url().startsWith('file:')) errors.push(request.url());
  });
  page = await context.newPage();
  await page.goto(`file://${file}`);
});
afterEach(async () => {
  expect(errors.splice(0)).toEqual([]);
  await context.close();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

describe('The page of the documentation', () => {
  test('finds what has all words, titles first, and opens the part that it is in', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('restless burst');
    const hit = page.locator('#results a').first();
    expect(await hit.textContent()).toBe('gives a restless burst at most the maximum');
    await hit.click();
    expect(await page.locator('#results li').count()).toBe(0);
    const drawing = page.locator('article:target svg');
    await drawing.waitFor({ state: 'visible' });
    expect(await drawing.locator('circle').count()).toBe(6);
  });

  test('says that it has found nothing', async () => {
    await page.locator('#search').fill('zebra crossing');
    expect(await page.locator('#results').textContent()).toBe('Nothing found.');
  });

  test('is no wider than a window as narrow as the browser has one, with everything open', async () => {
    const [content, shown] = await page.evaluate(() => {
      for (const part of document.querySelectorAll('details')) part.open = true;
      // Some browsers have a bar beside the page.
      return [document.documentElement.scrollWidth, document.documentElement.clientWidth] as const;
    });
    expect(content).toBe(shown);
  });
});
