import { readFileSync } from 'node:fs';

import { builtFile } from './support/bundleFile';
import { cohortText, deletedBy, frameOf, openTab, untilGone, untilText } from './support/inspector';
import { servedFrom } from './support/renderers';
import { stageForTests } from './support/stage';
import { typeInto } from './support/typeInto';

const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';

describe('The inspector on Preact', () => {
  const stage = stageForTests();

  test('contains no React', () => {
    expect(readFileSync(builtFile('inspector', 'build/preact'), 'utf8')).not.toContain('react.dev/errors');
  });

  test('draws each of its panels, which answer to mouse and keyboard', async () => {
    const visitor = await stage.visitor();
    await servedFrom(visitor, 'build/preact');
    await visitor.open(`${article}?__permutive.inspector=true`);
    await visitor.ready('realtime');
    await stage.untilArrived('Pageview');
    const frame = await frameOf(visitor);

    // The last one is above those of the same moment.
    await frame.locator('[data-lane="transitions"].marble').last().click();
    await frame.waitForSelector('section[aria-label^="Chosen"]');

    await frame.focus('#tab-Streams');
    await frame.press('#tab-Streams', 'ArrowRight');
    expect(await frame.getAttribute('#tab-Cohorts', 'aria-selected')).toBe('true');
    expect(await cohortText(frame, 20111)).toContain('The visitor is in this cohort.');

    await openTab(frame, 'Delivery');
    await untilText(frame, /POST http.*\/batch\/events.*200 after \d+ ms/);
    await openTab(frame, 'Visitor');
    await untilText(frame, 'permutive-app');
    expect(await deletedBy(frame, 'permutive-session')).toBeNull();
    await openTab(frame, 'Partners');
    await untilText(frame, 'ad-leaderboard');
    await openTab(frame, 'Health');
    await untilText(frame, 'The SDK is version');
    await frame.press('#tab-Health', 'Escape');
    await untilGone(frame);
  });

  test('lets the tab pretend a cohort', async () => {
    const visitor = await stage.visitor();
    await servedFrom(visitor, 'build/preact');
    await visitor.open('/blank?__permutive.inspector=true');
    await visitor.ready('realtime');
    const frame = await frameOf(visitor);
    const pretended = 'label:has-text("In these cohorts") input';
    await openTab(frame, 'Simulate');
    await typeInto(frame.locator(pretended).first(), '20112');
    await Promise.all([visitor.page.waitForEvent('load'), frame.click('#panel button:text-is("Simulate")')]);
    await visitor.ready('realtime');
    expect(await visitor.ask((permutive) => permutive.segment(20112))).toBe(true);
    const again = await frameOf(visitor);
    await openTab(again, 'Simulate');
    expect(await again.locator(pretended).first().inputValue()).toBe('20112');
  });
});
