import type { Page } from 'playwright-core';

import { buildPlayground } from '../../demo/playground/build';
import { stageForTests } from './support/stage';

describe('The playground', () => {
  const stage = stageForTests();
  beforeAll(buildPlayground);

  const open = async (fragment = ''): Promise<Page> => {
    const { page, open: openPage } = await stage.visitor();
    await openPage(`/playground/${fragment}`);
    await page.getByRole('heading', { name: 'Membership' }).waitFor();
    return page;
  };
  const textOf = (page: Page, name: string): Promise<string> => page.locator(`[data-test="${name}"]`).innerText();
  const pick = (page: Page, id: string) => page.getByLabel('Begin with a query of the sample project').selectOption(id);
  const write = (page: Page, text: string) => page.getByLabel('JSON: a definition').fill(text);

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

  test('shares a query and a moment by its address', async () => {
    const page = await open();
    await write(page, JSON.stringify({ event: 'Pageview', is: { gte: 5 }, within: { hours: 2 } }));
    await page.getByLabel('Likes to read').selectOption('Markets');
    await page.getByRole('button', { name: 'Another reader' }).click();
    const change = page.getByRole('button', { name: 'Next change' });
    await page.getByRole('slider', { name: 'Moment' }).press('Home');
    await change.click();
    await page.getByText(', by Pageview').waitFor();
    const [verdict, checksum, explain] = [
      await textOf(page, 'verdict'),
      await textOf(page, 'checksum'),
      await textOf(page, 'explain'),
    ];
    const address = page.url();
    expect(address).toContain('#');
    const other = await stage.visitor();
    await other.page.goto(address);
    await other.page.getByText(', by Pageview').waitFor();
    expect([
      await textOf(other.page, 'verdict'),
      await textOf(other.page, 'checksum'),
      await textOf(other.page, 'explain'),
      await other.page.getByLabel('Likes to read').inputValue(),
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
    const log = page.getByLabel('Log of');
    await log.fill([...lines, 'no JSON', '{"lane":"events","data":{"name":7}}'].join('\n'));
    expect(await textOf(page, 'events')).toBe('2 events');
    await page.getByText('line 5').waitFor();
    expect(await page.getByText('line 6: data/name').count()).toBe(1);
    await page.getByRole('slider', { name: 'Moment' }).press('Home');
    await page.getByRole('button', { name: 'Next change' }).click();
    expect(await textOf(page, 'verdict')).toMatch(/^Member at Fri 2 Jan,? 10:00:00 UTC, since .* by Read/);
    expect(decodeURIComponent(page.url())).not.toContain('coffee');
  });

  test('is used by the keyboard alone, in a window as narrow as a phone', async () => {
    const page = await open();
    await page.setViewportSize({ width: 360, height: 740 });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    const names = async (): Promise<string[]> => {
      const reached: string[] = [];
      for (let i = 0; i < 16; i++) {
        await page.keyboard.press('Tab');
        reached.push(await page.evaluate(() => document.activeElement?.textContent.slice(0, 20) ?? ''));
      }
      return reached;
    };
    const reached = await names();
    expect(reached).toEqual(
      expect.arrayContaining(['Copy a link', 'Canonical form', 'Another reader', 'Previous event', 'Next change']),
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
