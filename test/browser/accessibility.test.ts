import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { siteOf } from '../../scripts/site/site';
import { axeFindings } from './support/axe';
import { frameOf } from './support/inspector';
import { seenPages } from './support/seenPages';
import { stageForTests } from './support/stage';

// What axe finds does not pass when it is looked for again.
jest.retryTimes(0);

/** Each frame has a test of its own. */
const alone = { iframes: false };

const phone = { width: 390, height: 844 };

describe('axe finds nothing wrong', () => {
  const stage = stageForTests();
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('in the front page of the demo', async () => {
    const visitor = await stage.visitor();
    await visitor.page.setViewportSize(phone);
    await seenPages['front page'](visitor);
    expect(await axeFindings(visitor.page, alone)).toEqual([]);
  });

  test('in an overlay', async () => {
    const visitor = await stage.visitor();
    await visitor.page.setViewportSize(phone);
    await seenPages.overlay(visitor);
    // It fades in, and colours that are half transparent have little contrast.
    await visitor.page.waitForTimeout(1000);
    // Axe reads the important styles of the layer, and not the stronger ones in its shadow, which let the spacing of
    // the page through. The tests of the overlay show that.
    const rules = { 'avoid-inline-spacing': { enabled: false } };
    expect(await axeFindings(visitor.page, { ...alone, rules })).toEqual([]);
  });

  test('in the panels of the inspector', async () => {
    const visitor = await stage.visitor();
    await seenPages.inspector(visitor);
    const frame = await frameOf(visitor);
    const panels = await frame.$$eval('[role=tab]', (tabs) => tabs.map(({ id }) => id));
    const found: string[] = [];
    // The rules for whole pages do not count: the page has a title and landmarks, and its frame is named.
    for (const id of panels) {
      await frame.click(`#${id}`);
      for (const finding of await axeFindings(frame, alone, '.inspector')) found.push(`${id}: ${finding}`);
    }
    expect(panels.length).toBeGreaterThan(3);
    expect(found).toEqual([]);
  });

  test('in the documentation', async () => {
    const file = join(folder, 'index.html');
    writeFileSync(file, siteOf(resolve(__dirname, '../..'), { settings: '| a |\n| --- |', storage: '| a |\n| --- |' }));
    const { page } = await stage.visitor();
    await page.setViewportSize(phone);
    await page.goto(`file://${file}`);
    expect(await axeFindings(page, alone)).toEqual([]);
    // All guides are on this page.
  }, 300_000);
});
