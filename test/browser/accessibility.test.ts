import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { siteOf } from '../../scripts/site/site';
import { axeFindings } from './support/axe';
import { frameOf } from './support/inspector';
import { seenPages } from './support/seenPages';
import { stageForTests } from './support/stage';
import { until } from './support/until';

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
    const opacity = (): Promise<string> =>
      visitor.page.getByRole('dialog').evaluate((dialog) => getComputedStyle(dialog.parentElement!).opacity);
    await until(async () => ((await opacity()) === '1' ? true : undefined), 'the overlay to have faded in');
    // Axe reads the important styles of the layer, and not the stronger ones in its shadow, which let the spacing of
    // the page through. The tests of the overlay show that.
    // The browser keeps the page off by a dialog, which is the backdrop. For people, the modal in it is the dialog.
    const rules = { 'avoid-inline-spacing': { enabled: false }, 'aria-allowed-role': { enabled: false } };
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
    // More than a thousand drawings: those of which each part is in one before them show axe nothing new.
    await page.evaluate(() => {
      const seen = new Set<string>();
      for (const drawing of document.querySelectorAll('article.test')) {
        const parts = Array.from(drawing.querySelectorAll('*'), (part) =>
          [part.tagName, part.getAttribute('class'), part.getAttribute('data-kind')].join(),
        );
        if (parts.every((part) => seen.has(part))) drawing.remove();
        for (const part of parts) seen.add(part);
      }
      for (const group of document.querySelectorAll('details.file'))
        if (group.querySelector('article') === null) group.remove();
    });
    expect(await page.locator('article.test').count()).toBeGreaterThan(3);
    expect(await axeFindings(page, alone)).toEqual([]);
    // All guides are on this page.
  }, 300_000);
});
