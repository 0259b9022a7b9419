import type { Frame } from 'playwright-core';

import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Tab } from './support/visitor';

const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';

const frameOf = (tab: Tab): Promise<Frame> =>
  until(
    () =>
      Promise.resolve(
        tab.page.frames().find((frame) => frame !== tab.page.mainFrame() && frame.url() === 'about:blank'),
      ),
    'the inspector',
  );
const textOf = async (frame: Frame): Promise<string> => (await frame.textContent('#panel')) ?? '';
const openTab = async (frame: Frame, name: string): Promise<void> => {
  await frame.click(`#tab-${name}`);
};

describe('The inspector', () => {
  const stage = stageForTests();

  test('opens from the address, under a strict policy, and follows a cohort to the ad server', async () => {
    const visitor = await stage.visitor();
    await visitor.open(`${article}?__permutive.inspector=true&csp=strict`);
    await visitor.ready('realtime');
    const frame = await frameOf(visitor);
    await frame.waitForSelector('[data-lane="transitions"].marble');

    const saved = visitor.page.waitForEvent('download');
    await frame.click('button:text-is("Save as marble test")');
    expect((await saved).suggestedFilename()).toBe('recording.marbles.ts');

    await openTab(frame, 'Cohorts');
    await frame.click('td button:text-is("Savers")');
    await until(
      async () => ((await textOf(frame)).includes('Google’s key permutive has 20111') ? true : undefined),
      'the way',
    );
    await frame.waitForSelector('[data-cohort="20111"] .tree');
    const cohort = await frame.textContent('[data-cohort="20111"]');
    expect(cohort).toContain('The visitor is in this cohort.');
    expect(cohort).toMatch(/Leaves on \d+ \w+ \d{4} at [\d:]+ if nothing happens\./);
    expect(cohort).toContain('Pageview events in the last 28 dayshas 1, needs at least 1');
    expect(await frame.$$('[data-cohort="20111"] .tree .bad')).toEqual([]);
    const links = await frame.$$eval('[data-cohort="20111"] h3:text-is("dfp") + ol > li', (all) =>
      all.slice(0, 4).map((each) => each.getAttribute('class')),
    );
    expect(links).toEqual(['good', 'good', 'good', 'good']);

    // From the entry of the cohort back to the page view that led to it.
    await frame.click('[data-cohort="20111"] .link:text-is("entry")');
    await frame.waitForSelector('section[aria-label="Chosen entry"]');
    const causes: string[] = [];
    for (let hops = 0; hops < 6 && !causes.some((cause) => cause.includes('Pageview')); hops += 1) {
      const link = await frame.waitForSelector('h2:text-is("Came from") + ul .link, h2:text-is("Came from") + p');
      causes.push((await link.textContent()) ?? '');
      if ((await link.evaluate((element) => element.tagName)) === 'P') break;
      await link.click();
    }
    expect(causes.join(' < ')).toContain('Pageview');
  });

  test('finds cohorts by name and source, and shows what is missing and where the way to the ad server breaks', async () => {
    const visitor = await stage.visitor();
    await visitor.open(`${article}?__permutive.inspector=true`);
    await visitor.ready('realtime');
    await stage.untilEntered(20_111);
    const frame = await frameOf(visitor);
    await openTab(frame, 'Cohorts');
    const names = (): Promise<readonly string[]> =>
      frame.$$eval('td button', (all) => all.map((each) => each.textContent));
    await until(async () => ((await names()).includes('Savers') ? true : undefined), 'the names');

    await frame.selectOption('label:has-text("Source") select', { label: 'third party' });
    await frame.selectOption('label:has-text("Member") select', { label: 'no' });
    expect(await names()).toContain('Partner data: household savers');
    expect(await names()).not.toContain('Savers');
    await frame.selectOption('label:has-text("Source") select', { label: 'all' });
    await frame.fill('input[type="search"]', 'active this WEEK');
    expect(await names()).toEqual(['Active this week']);

    // The tree is used by keyboard: what counts is in a group that opens.
    await frame.press('td button', 'Enter');
    await frame.waitForSelector('[data-cohort="20402"] .tree');
    const cohort = (await frame.textContent('[data-cohort="20402"]')) ?? '';
    expect(cohort).toContain('The visitor is not in this cohort.');
    expect(cohort).toContain('Enters with 2 more Pageview events in the last 7 days.');
    await frame.press('[data-cohort="20402"] .facts summary:text-is("1 event counts")', 'Enter');
    expect(await frame.isVisible('[data-cohort="20402"] .facts .link:text-is("Pageview")')).toBe(true);

    // Only the first link that does not hold is red; those behind it are grey.
    const links = await frame.$$eval('[data-cohort="20402"] h3:text-is("dfp") + ol > li', (all) =>
      all.map((each) => `${each.getAttribute('class')}: ${each.textContent}`),
    );
    expect(links[0]).toContain('bad: the visitor is in cohort 20402: not so, the way ends here.');
    expect(links.slice(1).map((link) => link.split(':')[0])).toEqual(['soft', 'soft', 'soft', 'soft']);
  });

  test('shows numbers where the publisher has not published the names', async () => {
    const visitor = await stage.visitor({ expected: /404/ });
    await visitor.page.route('**/*.cohorts.json', (route) => route.fulfill({ status: 404, body: '' }));
    await visitor.open(`${article}?__permutive.inspector=true`);
    await visitor.ready('realtime');
    const frame = await frameOf(visitor);
    await openTab(frame, 'Cohorts');
    await frame.waitForSelector('td button:text-is("20111")');
    expect(await textOf(frame)).toContain('The file with their names could not be loaded.');
  });

  test('shows requests, what is stored, partners and health, and is used by keyboard', async () => {
    const visitor = await stage.visitor();
    await visitor.open(`${article}?__permutive.inspector=true`);
    await visitor.ready('realtime');
    await stage.untilArrived('Pageview');
    const frame = await frameOf(visitor);
    await frame.focus('#tab-Streams');
    await frame.press('#tab-Streams', 'ArrowRight');
    await frame.press('#tab-Cohorts', 'ArrowRight');
    expect(await frame.getAttribute('#tab-Delivery', 'aria-selected')).toBe('true');
    await until(
      async () => (/POST http.*\/batch\/events.*200 after \d+ ms/.test(await textOf(frame)) ? true : undefined),
      'the answer to a batch',
    );
    await openTab(frame, 'Visitor');
    expect(await textOf(frame)).toContain('permutive-app');
    await frame.click('[aria-label="Delete permutive-session"]');
    expect((await visitor.storage())['permutive-session']).toBeUndefined();
    await openTab(frame, 'Partners');
    await until(async () => ((await textOf(frame)).includes('ad-leaderboard') ? true : undefined), 'the slot');
    await openTab(frame, 'Health');
    await until(async () => (await textOf(frame)).includes('The SDK is version') || undefined, 'the findings');
    await frame.press('#tab-Health', 'Escape');
    await until(() => Promise.resolve(visitor.page.frames().includes(frame) ? undefined : true), 'the end of it');
  });

  test('opens late by its key, and its clicks are no activity of the visitor', async () => {
    const visitor = await stage.visitor();
    await visitor.open(article);
    await visitor.ready('realtime');
    await stage.untilArrived('Pageview');
    await visitor.page.keyboard.press('Alt+Shift+P');
    const frame = await frameOf(visitor);
    await frame.waitForSelector('#tab-Streams');
    const before = (await visitor.heard('PageviewEngagement')).length;
    for (const name of ['Cohorts', 'Delivery', 'Streams']) await openTab(frame, name);
    await visitor.page.waitForTimeout(5500);
    expect((await visitor.heard('PageviewEngagement')).length).toBe(before);
    await frame.waitForSelector('.marble');
  });

  test('lets the tab pretend a cohort, with a badge, and sends no event of it', async () => {
    const visitor = await stage.visitor();
    await visitor.open(`/blank?__permutive.inspector=true`);
    await visitor.ready('realtime');
    await stage.untilArrived('SegmentEntry');
    const frame = await frameOf(visitor);
    await openTab(frame, 'Simulate');
    await frame.fill('label:has-text("In these cohorts") input', '20112');
    await Promise.all([visitor.page.waitForEvent('load'), frame.click('#panel button:text-is("Simulate")')]);
    await visitor.ready('realtime');
    expect(await visitor.ask((permutive) => permutive.segment(20112))).toBe(true);
    const pretending = await frameOf(visitor);
    await pretending.waitForSelector('.badge');
    await visitor.track('WhilePretending');
    const other = await visitor.newTab();
    await other.open('/blank');
    await other.ready('realtime');
    expect(await other.ask((permutive) => permutive.segment(20112))).toBe(false);
    await other.track('InTheOtherTab');
    await stage.untilArrived('InTheOtherTab');
    expect(await stage.arrived('WhilePretending')).toEqual([]);
  });
});
