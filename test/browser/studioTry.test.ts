import type { Browser, BrowserContext, Page } from 'playwright-core';

import { buildStudioPage } from '../../studio/build';
import { addressOf } from './support/frames';
import { launchBrowser } from './support/launchBrowser';
import { type StudioFolder, studioFolder } from './support/studioFolder';
import { typeInto } from './support/typeInto';
import { untilSteady } from './support/until';

describe('A query that is tried in Studio', () => {
  let browser: Browser;
  let folder: StudioFolder;
  let context: BrowserContext;

  beforeAll(async () => {
    await buildStudioPage();
    browser = await launchBrowser();
    folder = await studioFolder();
  }, 600_000);
  afterAll(async () => {
    await folder.close();
    await browser.close();
  });
  beforeEach(async () => {
    context = await browser.newContext();
  });
  afterEach(() => context.close());

  /** Opens the view, by the address that the command prints, or by another one. */
  const open = async (address = folder.address.replace('#token=', '#/try?token=')): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(address);
    await page.getByRole('heading', { name: 'Membership' }).waitFor();
    return page;
  };
  const textOf = (page: Page, name: string): Promise<string> => page.locator(`[data-test="${name}"]`).innerText();
  const pick = (page: Page, id: string) => page.getByLabel('Begin with a cohort of the file').selectOption(id);
  const write = (page: Page, text: string) => typeInto(page.getByLabel('JSON: a definition'), text);

  test('shows what a picked query is and costs, and how membership changes in time, and why', async () => {
    const page = await open();
    await pick(page, '20402');
    const canonical = await page.locator('[data-test="canonical"]').textContent();
    expect(JSON.parse(canonical ?? '')).toEqual({
      q: { buckets: 100, event: ['Pageview'], is: { gte: 3 }, within: 604_800_000 },
      sub: [],
    });
    expect(await textOf(page, 'checksum')).toMatch(/^[0-9a-z]{8,}$/);
    const slider = page.getByRole('slider', { name: 'Moment' });
    await slider.press('Home');
    expect(await textOf(page, 'verdict')).toMatch(/^Not a member at /);
    expect(await textOf(page, 'explain')).toContain('Pageview events in the last 7 days: has 0, needs at least 3');
    await page.getByRole('button', { name: 'Next change' }).click();
    expect(await textOf(page, 'verdict')).toMatch(/^Member at .*, by Pageview/);
    expect(await textOf(page, 'explain')).toContain('has 3, needs at least 3');
    await slider.press('End');
    expect(await textOf(page, 'verdict')).toMatch(/^Not a member at .*, as time went by/);
  });

  test('is shared with its moment by a link', async () => {
    const page = await open();
    await write(page, JSON.stringify({ event: 'Pageview', is: { gte: 5 }, within: { hours: 2 } }));
    await page.getByLabel('Likes to read').selectOption('Markets');
    await page.getByRole('button', { name: 'Another reader' }).click();
    // The reader before is drawn until the new one has been played.
    await untilSteady(() => addressOf(page), 300);
    const change = page.getByRole('button', { name: 'Next change' });
    await page.getByRole('slider', { name: 'Moment' }).press('Home');
    await change.click();
    await page.getByText(', by Pageview').waitFor();
    const [verdict, checksum, explain] = [
      await textOf(page, 'verdict'),
      await textOf(page, 'checksum'),
      await textOf(page, 'explain'),
    ];
    await untilSteady(() => addressOf(page), 300);
    const address = await addressOf(page);
    const [, token = ''] = folder.address.split('#token=');
    expect(address.endsWith(`?token=${token}`)).toBe(true);
    // A reload loses nothing. A link that somebody was sent has no token, and opens in the tab of one’s own Studio.
    await page.reload();
    await page.getByText(', by Pageview').waitFor();
    const other = await open();
    const link = address.slice(0, -`?token=${token}`.length);
    await other.goto(link);
    await other.getByText(', by Pageview').waitFor();
    expect(await addressOf(other)).toBe(address);
    expect([
      await textOf(other, 'verdict'),
      await textOf(other, 'checksum'),
      await textOf(other, 'explain'),
      await other.getByLabel('Likes to read').inputValue(),
    ]).toEqual([verdict, checksum, explain, 'Markets']);
  });

  test('says of a text that is no query where it is wrong and what was expected there', async () => {
    const page = await open();
    const faults = page.locator('[data-test="faults"]').first();
    await write(page, '{ "event": ');
    await faults.getByText(': expected JSON').waitFor();
    await write(page, '{ "and": [{ "event": 7 }] }');
    await faults.getByText('and/0/event').waitFor();
    await write(page, '{ "id": "1", "q": { "event": "Pageview", "secret": "of mine" } }');
    await faults.getByText('a query node with only').waitFor();
    expect(await faults.innerText()).not.toContain('of mine');
    for (const text of ['null', '[]', '7', '""', '{}', '{"q":null}', '{"__proto__":null}']) {
      await write(page, text);
      await faults.getByText('expected').first().waitFor();
    }
    expect(await page.getByText('nothing is played').count()).toBe(1);
    await write(page, '{ "event": "Pageview" }');
    await page.locator('[data-test="verdict"]').waitFor();
  });

  test('is copied as a link without the token', async () => {
    const [origin = '', token = ''] = folder.address.split('/#token=');
    await context.addInitScript(() => {
      const copied = (text: string): Promise<void> => {
        document.documentElement.dataset['copied'] = text;
        return Promise.resolve();
      };
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: copied } });
    });
    const page = await open();
    await page.getByRole('button', { name: 'Copy a link' }).click();
    await page.getByText('The link is copied.').waitFor();
    const link = await page.evaluate(() => document.documentElement.dataset['copied'] ?? '');
    expect(link.startsWith(`${origin}/#/try/`)).toBe(true);
    expect(link).not.toContain(token);
    const stranger = await context.newPage();
    await stranger.goto(link);
    await stranger.getByText('paste the link into the address bar there').waitFor();
  });

  test('becomes the draft of a new cohort, and is there again on the way back', async () => {
    const page = await open();
    await write(page, '{ "event": "Pageview", "is": { "gte": 9 } }');
    await page.getByRole('button', { name: 'Make it a cohort' }).click();
    await page.getByRole('heading', { name: 'New cohort' }).waitFor();
    expect(await page.locator('.cm-content').innerText()).toContain('"gte": 9');
    await page.getByText('The query is the draft of a new cohort.').waitFor();
    await page.getByRole('link', { name: 'Try a query' }).click();
    expect(await page.getByLabel('JSON: a definition').inputValue()).toContain('"gte": 9');
    // What is no query becomes none. The button can be reached all the same, so that it is not lost to the keyboard.
    await write(page, '{ "event": ');
    await page.getByRole('button', { name: 'Make it a cohort' }).click({ force: true });
    expect(await page.getByRole('heading', { name: 'New cohort' }).count()).toBe(0);
  });

  test('plays the events of a recorded log, and keeps it out of the address', async () => {
    const page = await open();
    await write(page, '{ "event": "Read", "where": { "p": "topic", "in": ["tea"] } }');
    await page.getByLabel('of a recorded log').check();
    const event = (time: string, topic: string) => ({
      t: 0,
      lane: 'events',
      type: 'Read',
      data: { id: '1', name: 'Read', time, properties: { topic }, session_id: 's', view_id: 'v' },
    });
    const lines = [
      { v: 1, sdk: 'v1', project: 'p', clock: 0 },
      { t: 1, lane: 'calls', type: 'track', data: [] },
      event('2026-01-01T10:00:00.000Z', 'coffee'),
      event('2026-01-02T10:00:00.000Z', 'tea'),
    ].map((line) => JSON.stringify(line));
    const log = [...lines, 'no JSON', '{"lane":"events","data":{"name":7}}'].join('\n');
    const file = { name: 'log.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(log) };
    await page.getByLabel('Or a file').setInputFiles(file);
    await page.locator('[data-test="events"]', { hasText: /^2 events$/ }).waitFor();
    await page.getByText('line 5').waitFor();
    expect(await page.getByText('line 6: data/name').count()).toBe(1);
    await page.getByRole('slider', { name: 'Moment' }).press('Home');
    await page.getByRole('button', { name: 'Next change' }).click();
    expect(await textOf(page, 'verdict')).toMatch(/^Member at Fri,? 2 Jan,? 10:00:00 UTC, since .* by Read/);
    expect(decodeURIComponent(await addressOf(page))).not.toContain('coffee');
  });

  test('is used by the keyboard alone, in a window as narrow as a phone', async () => {
    const page = await open();
    await page.setViewportSize({ width: 360, height: 740 });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    const names = async (): Promise<string[]> => {
      const reached: string[] = [];
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press('Tab');
        reached.push(await page.evaluate(() => document.activeElement?.textContent.slice(0, 20) ?? ''));
      }
      return reached;
    };
    const reached = await names();
    expect(reached).toEqual(
      expect.arrayContaining([
        'Make it a cohort',
        'Copy a link',
        'Canonical form',
        'Another reader',
        'Previous event',
        'Next change',
      ]),
    );
    const slider = page.getByRole('slider', { name: 'Moment' });
    await slider.focus();
    const before = Number(await slider.inputValue());
    await slider.press('ArrowLeft');
    await slider.press('PageDown');
    expect(before - Number(await slider.inputValue())).toBeCloseTo(25 * 3_600_000, -2);
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/UTC, (not a )?member$/);
  });
});
