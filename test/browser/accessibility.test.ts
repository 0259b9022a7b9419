import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

import { siteOf } from '../../scripts/site/site';
import { frameOf } from './support/inspector';
import { seenPages } from './support/seenPages';
import { stageForTests } from './support/stage';

// What axe finds does not pass when it is looked for again.
jest.retryTimes(0);

const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong in a page, or in a part of it: each rule with the elements that break it. */
const findings = async (
  page: Page | Frame,
  part = 'html',
  rules: RunOptions['rules'] = {},
): Promise<readonly string[]> => {
  await page.evaluate(axe);
  const options = JSON.stringify({ iframes: false, resultTypes: ['violations'], rules });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(part)}, ${options})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
};

const phone = { width: 390, height: 844 };

describe('axe finds nothing wrong', () => {
  const stage = stageForTests();
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('in the front page of the demo', async () => {
    const visitor = await stage.visitor();
    await visitor.page.setViewportSize(phone);
    await seenPages['front page'](visitor);
    expect(await findings(visitor.page)).toEqual([]);
  });

  test('in an overlay', async () => {
    const visitor = await stage.visitor();
    await visitor.page.setViewportSize(phone);
    await seenPages.overlay(visitor);
    // It fades in, and colours that are half transparent have little contrast.
    await visitor.page.waitForTimeout(1000);
    // Axe reads the important styles of the layer, and not the stronger ones in its shadow, which let the spacing of
    // the page through. The tests of the overlay show that.
    expect(await findings(visitor.page, 'html', { 'avoid-inline-spacing': { enabled: false } })).toEqual([]);
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
      for (const finding of await findings(frame, '.inspector')) found.push(`${id}: ${finding}`);
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
    expect(await findings(page)).toEqual([]);
    // All guides are on this page.
  }, 300_000);
});
