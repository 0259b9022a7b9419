import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import { siteOf } from '../../scripts/site/site';
import { launchChromium } from './support/chromium';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'docs-'));
const file = join(folder, 'index.html');
let browser: Browser;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  writeFileSync(file, siteOf(resolve(__dirname, '../..'), { settings: '| a |\n| --- |', storage: '| a |\n| --- |' }));
  browser = await launchChromium();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) errors.push(request.url());
  });
  await page.goto(`file://${file}`);
});
afterEach(async () => {
  expect(errors.splice(0)).toEqual([]);
  await page.close();
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

  test('is no wider than a phone, with everything open', async () => {
    const width = await page.evaluate(() => {
      for (const part of document.querySelectorAll('details')) part.open = true;
      return document.documentElement.scrollWidth;
    });
    expect(width).toBe(390);
  });
});
