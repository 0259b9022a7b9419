import { partFile } from './support/bundleFile';
import { letPass, withClock } from './support/clock';
import {
  buttonOf,
  deletedBy,
  emptyFrames,
  frameOf,
  frameWith,
  openTab,
  textOf,
  untilGone,
  untilText,
} from './support/inspector';
import { expectSilence } from './support/silence';
import { stageForTests } from './support/stage';
import { typeInto } from './support/typeInto';
import { until } from './support/until';

const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';

describe('The inspector', () => {
  const stage = stageForTests();

  test('opens from the address, under a strict policy, and follows a cohort to the ad server', async () => {
    const visitor = await stage.visitor();
    await visitor.open(`${article}?__permutive.inspector=true&csp=strict`);
    await visitor.ready('realtime');
    const frame = await frameOf(visitor);
    await frame.waitForSelector('[data-lane="transitions"].marble');

    await openTab(frame, 'Cohorts');
    await frame.click('td button:text-is("Savers")');
    await until(
      async () => ((await textOf(frame)).includes('Google’s key permutive has 20111') ? true : undefined),
      'the way',
    );
    await frame.waitForSelector('[data-cohort="20111"] .tree');
    // It is asked again whenever cohorts change.
    const cohort = await until(async () => {
      const text = (await frame.textContent('[data-cohort="20111"]')) ?? '';
      return text.includes('Asking the engine') ? undefined : text;
    }, 'the explanation');
    expect(cohort).toContain('The visitor is in this cohort.');
    expect(cohort).toMatch(/Leaves on \d+ \w+ \d{4} at [\d:]+ if nothing happens\./);
    expect(cohort).toContain('Pageview events in the last 28 dayshas 1, needs at least 1');
    expect(await frame.$$('[data-cohort="20111"] .tree .bad')).toEqual([]);
    const links = await frame.$$eval('[data-cohort="20111"] h3:text-is("dfp") + ol > li', (all) =>
      all.slice(0, 4).map((each) => each.getAttribute('class')),
    );
    expect(links).toEqual(['good', 'good', 'good', 'good']);

    // From the entry of the cohort back to the event that led to it. On a busy machine, the engine hears of the page
    // view and of the slots that follow it at once, and names the last of them.
    await frame.click('[data-cohort="20111"] .link:text-is("entry")');
    await frame.waitForSelector('section[aria-label="Chosen entry"]');
    const causes: string[] = [];
    const tracked = /events: (?:Pageview|Slot)/;
    for (let hops = 0; hops < 6 && !causes.some((cause) => tracked.test(cause)); hops += 1) {
      const link = await frame.waitForSelector('h2:text-is("Came from") + ul .link, h2:text-is("Came from") + p');
      causes.push((await link.textContent()) ?? '');
      if ((await link.evaluate((element) => element.tagName)) === 'P') break;
      await link.click();
    }
    expect(causes.at(-1)).toMatch(tracked);
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
    await typeInto(frame.locator('input[type="search"]').first(), 'active this WEEK');
    expect(await names()).toEqual(['Active this week']);

    // The tree is used by keyboard: what counts is in a group that opens.
    await frame.press('td button', 'Enter');
    await frame.waitForSelector('[data-cohort="20402"] .tree');
    // The cohort is drawn anew, and folded, whenever cohorts change.
    const cohort = await until(async () => {
      const text = (await frame.textContent('[data-cohort="20402"]')) ?? '';
      return text.includes('Asking the engine') ? undefined : text;
    }, 'the explanation');
    expect(cohort).toContain('The visitor is not in this cohort.');
    expect(cohort).toContain('Enters with 2 more Pageview events in the last 7 days.');
    await until(async () => {
      if (await frame.isVisible('[data-cohort="20402"] .facts .link:text-is("Pageview")')) return true;
      await frame.press('[data-cohort="20402"] .facts summary:text-is("1 event counts")', 'Enter');
      return undefined;
    }, 'the event that counts');

    // Only the first link that does not hold is red; those behind it are grey.
    const links = await frame.$$eval('[data-cohort="20402"] h3:text-is("dfp") + ol > li', (all) =>
      all.map((each) => `${each.getAttribute('class')}: ${each.textContent}`),
    );
    expect(links[0]).toContain('bad: the visitor is in cohort 20402: not so, the way ends here.');
    expect(links.slice(1).map((link) => link.split(':')[0])).toEqual(['soft', 'soft', 'soft', 'soft']);
  });

  test('shows numbers where the publisher has not published the names', async () => {
    const visitor = await stage.visitor({ expected: /404/ });
    await visitor.page.route(partFile('cohorts'), (route) => route.fulfill({ status: 404, body: '' }));
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
    expect(await deletedBy(frame, 'permutive-session')).toBeNull();
    await openTab(frame, 'Partners');
    await until(async () => ((await textOf(frame)).includes('ad-leaderboard') ? true : undefined), 'the slot');
    await openTab(frame, 'Health');
    await until(async () => (await textOf(frame)).includes('The SDK is version') || undefined, 'the findings');
    await frame.press('#tab-Health', 'Escape');
    await untilGone(frame);
  });

  test('opens by the site’s button, shows what was before, and stays open in the tab until it is closed', async () => {
    const visitor = await stage.visitor();
    await visitor.open(article);
    await visitor.ready('realtime');
    await visitor.page.click(buttonOf);
    const frame = await frameOf(visitor);
    await openTab(frame, 'Delivery');
    expect(await textOf(frame)).toMatch(/Pageview \d\d:\d\d:\d\d/);
    await openTab(frame, 'Visitor');
    const ids = await visitor.ask(({ context }) => Object.values(context).slice(0, 3));
    for (const id of ids) expect(await textOf(frame)).toContain(id);
    await openTab(frame, 'Partners');
    await untilText(frame, 'Google’s tag has the cohorts of this page.');

    await visitor.open('/film');
    await visitor.ready('realtime');
    const next = await frameOf(visitor);
    await openTab(next, 'Delivery');
    await untilText(next, /Pageview.*accepted/);
    await next.click('button:text-is("Close")');
    await untilGone(next);
    await visitor.open('/blank');
    await visitor.ready('realtime');
    expect(await emptyFrames(visitor)).toEqual([]);
  });

  test('by a link loads nothing before consent, opens with it, and empties the recording at a refusal', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    await visitor.open('/film?consent=required&__permutive.inspector=true');
    await visitor.untilWarned('No consent to run on the page');
    await letPass(visitor.page, 10_000);
    expect(visitor.asked.filter((url) => /web\.(inspector|cohorts)/.test(url))).toEqual([]);
    await visitor.ask((permutive) => permutive.consent({ opt_in: true, token: 'given' }));
    await visitor.ready();
    await frameOf(visitor);
    await visitor.track('BeforeTheRefusal');
    const recorded = (): Promise<string> =>
      visitor.page.evaluate(() =>
        (window as unknown as { permutive: { recording: () => Promise<string> } }).permutive.recording(),
      );
    expect(await recorded()).toContain('BeforeTheRefusal');
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    expect(await recorded()).not.toContain('BeforeTheRefusal');
  });

  test('erases at once what is stored where the visitor really refuses while the tab pretends', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready('realtime');
    await visitor.page.evaluate(() => sessionStorage.setItem('__permutiveSimulation', '{"consent":true,"days":1}'));
    await visitor.open('/blank?__permutive.inspector=true');
    await visitor.ready();
    expect(Object.keys(await visitor.storage())).toContain('permutive-id');
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await until(
      async () =>
        Object.keys(await visitor.storage()).every(
          (key) => key === 'permutive-consent' || !/^(permutive|_p)/.test(key),
        ) || undefined,
      'an erasure',
    );
    expect(await visitor.cookies()).not.toHaveProperty('permutive-id');

    // Consent that is only pretended after a real refusal counts for nothing.
    await stage.untilIdle();
    await stage.resetApi();
    visitor.asked.length = 0;
    await withClock(visitor.page);
    await visitor.page.evaluate(() => sessionStorage.setItem('__permutiveSimulation', '{"consent":true}'));
    await visitor.open('/blank?__permutive.inspector=true&__permutive.metricsSamplingPercentage=100');
    await expectSilence(visitor, stage);
    expect(Object.keys(await visitor.storage()).filter((key) => /^(permutive|_p)/.test(key))).toEqual([
      'permutive-consent',
    ]);
  });

  test('opens before consent, and stores nothing of that', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/film?consent=required');
    await visitor.page.click(buttonOf);
    const frame = await frameOf(visitor);
    await openTab(frame, 'Visitor');
    await untilText(frame, 'The SDK is not running.');
    await frame.click('button:text-is("Close")');
    expect(await visitor.page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });

  test('reads the key values of a tag that has only the newer methods', async () => {
    const visitor = await stage.visitor();
    await visitor.open(`${article}?gpt=setConfig&__permutive.inspector=true`);
    const frame = await frameOf(visitor);
    await openTab(frame, 'Partners');
    await untilText(frame, /rts Google’s tag has the cohorts of this page\.page.*permutive20\d{3}, /);
  });

  test('opens late by its key, and its clicks are no activity of the visitor', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    await visitor.open(article);
    await visitor.ready('realtime');
    await stage.untilArrived('Pageview');
    await visitor.page.keyboard.press('Alt+Shift+P');
    const frame = await frameOf(visitor);
    await frame.waitForSelector('#tab-Streams');
    expect(await textOf(frame)).toContain('the lanes show nothing of what happened before');
    const before = (await visitor.heard('PageviewEngagement')).length;
    for (const name of ['Cohorts', 'Delivery', 'Streams']) await openTab(frame, name);
    await letPass(visitor.page, 5500);
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
    await typeInto(frame.locator('label:has-text("In these cohorts") input').first(), '20112');
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

  test('shows streams by name, in a window of any width, and stands still when paused', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    await visitor.open(`/blank?__permutive.inspector=true`);
    await visitor.ready('realtime');
    const frame = await frameOf(visitor);
    const marbles = (type: string): Promise<number> => frame.locator(`.marble[title="${type}"]`).count();
    await visitor.track('Wanted', { n: 1 });
    await frame.waitForSelector('.marble[title="Wanted"]');
    const all = await frame.locator('.marble').count();
    await typeInto(frame.locator('input[type="search"]').first(), 'WANT');
    await until(async () => ((await frame.locator('.marble').count()) < all ? true : undefined), 'fewer marbles');
    expect(await marbles('Pageview')).toBe(0);
    expect(await marbles('Wanted')).toBe(1);

    await frame.click('button:text-is("Pause")');
    await visitor.track('WantedLater');
    await stage.untilArrived('WantedLater');
    await letPass(visitor.page, 1000);
    expect(await marbles('WantedLater')).toBe(0);
    await frame.click('button:text-is("Go on")');
    await frame.waitForSelector('.marble[title="WantedLater"]');

    // The window has a width, and an end that goes into the past.
    const [begin, end] = [frame.locator('.axis span').first(), frame.locator('.axis span').last()];
    await until(async () => {
      await visitor.track('WantedStill');
      await letPass(visitor.page, 1000);
      return parseFloat((await end.textContent()) ?? '') > 6 || undefined;
    }, 'a log of six seconds');
    await frame.click('button:text-is("Pause")');
    await frame.selectOption('select', '600');
    const whole = await begin.textContent();
    await frame.selectOption('select', '5');
    expect(await begin.textContent()).not.toBe(whole);
    const last = await end.textContent();
    await frame.press('input[type="range"]', 'ArrowRight');
    await until(async () => (await end.textContent()) !== last || undefined, 'another window');
    await frame.selectOption('select', '600');

    // A marble shows its value, and the way to it from the page's call.
    await frame.click('.marble[title="Wanted"]');
    const details = frame.locator('section[aria-label="Chosen entry"]');
    expect(await details.locator('pre').textContent()).toContain('"n": 1');
    expect(await details.locator('h2:text-is("Chain") + ul li').allTextContents()).toEqual([
      expect.stringMatching(/^calls: track/),
      expect.stringMatching(/^events: Wanted/),
    ]);
    await details.locator('h2:text-is("Chain") + ul .link').first().click();
    expect(await details.locator('h2').first().textContent()).toContain('calls: track');
    // The request that has carried the event is a hop from it.
    await stage.untilArrived('Wanted');
    await frame.click('button:text-is("Go on")');
    await frame.locator('.marble[title="Wanted"]').click();
    await frame.waitForSelector('h2:text-is("Led to") + ul .link:has-text("uploads: request")');
  });

  test('lets the tab pretend another day, on copies of what is stored', async () => {
    const visitor = await stage.visitor();
    await visitor.open(article);
    await visitor.ready('realtime');
    await stage.untilEntered(20111);
    await visitor.open('/blank?__permutive.inspector=true');
    await visitor.ready('realtime');
    const isSaver = (): Promise<boolean> => visitor.ask((permutive) => permutive.segment(20111));
    expect(await isSaver()).toBe(true);
    const before = await visitor.cookies();
    const frame = await frameOf(visitor);
    await openTab(frame, 'Simulate');
    await typeInto(frame.locator('input[type="number"]').first(), '29');
    await Promise.all([visitor.page.waitForEvent('load'), frame.click('#panel button:text-is("Simulate")')]);
    await visitor.ready('realtime');
    expect(await isSaver()).toBe(false);
    const ahead = await visitor.track('InTheFuture');
    expect(Date.parse(ahead?.time ?? '') - Date.now()).toBeGreaterThan(28 * 24 * 3_600_000);
    const pretending = await frameOf(visitor);
    expect(await pretending.textContent('.badge')).toBe('Simulated in this tab: clock + 29 days');
    // Ended by closing the inspector, the badge would be gone while the tab still pretends.
    await pretending.press('#tab-Streams', 'Escape');
    // The badge has a frame of its own.
    const badge = await frameWith(visitor, 'button.badge:has-text("clock + 29 days")');
    await badge.click('button.badge');
    const again = await frameOf(visitor);

    await openTab(again, 'Simulate');
    await Promise.all([visitor.page.waitForEvent('load'), again.click('#panel button:text-is("Stop simulating")')]);
    await visitor.ready('realtime');
    expect(await isSaver()).toBe(true);
    await visitor.track('InThePresent');
    await stage.untilArrived('InThePresent');
    expect(await stage.arrived('InTheFuture')).toEqual([]);
    expect(await visitor.cookies()).toMatchObject({ 'permutive-id': before['permutive-id'] });
  });

  test('does not keep the visit waiting for a chunk that does not come', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(partFile('inspector'));
    await visitor.open(`/blank?__permutive.inspector=true`, 'domcontentloaded');
    await visitor.ready('realtime');
    await stage.untilArrived('Pageview');
    release();
    const frame = await frameOf(visitor);
    await openTab(frame, 'Replay');
    expect(await textOf(frame)).toContain('This log cannot be replayed');
    await Promise.all([
      visitor.page.waitForEvent('load'),
      frame.click('button:text-is("Load again and record from the start")'),
    ]);
    await visitor.ready('realtime');
    const next = await frameOf(visitor);
    expect(await textOf(next)).not.toContain('what happened before');
    await openTab(next, 'Replay');
    expect(await textOf(next)).not.toContain('cannot be replayed');
    expect(await next.isEnabled('button:text-is("Replay here")')).toBe(true);
  });
});
