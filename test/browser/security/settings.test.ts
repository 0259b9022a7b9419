import { browserName } from '../support/browserName';
import { openChanged } from '../support/changedPage';
import { letPass, withClock } from '../support/clock';
import { stageForTests } from '../support/stage';
import { storedRecords } from '../support/storedRecords';
import { until } from '../support/until';
import { untilRefused } from '../support/untilRefused';
import { untilSettled } from '../support/untilSettled';
import type { Visitor } from '../support/visitor';

const refusal = 'Permutive was not initialized. No consent to run on the page';

const leavesNothing = async (visitor: Visitor): Promise<void> => {
  expect(await visitor.storage()).toEqual({});
  expect(await visitor.cookies()).toEqual({});
  expect(await visitor.databases()).toEqual([]);
};

describe('A tag that means to require consent', () => {
  const stage = stageForTests();

  test.each(['"true"', '{}'])('does so where it says %s', async (required) => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    await openChanged(visitor, stage.demo.site, '?consent=required&gpt=none', (html) =>
      html.replace('"consentRequired":true', `"consentRequired":${required}`),
    );
    expect(await visitor.page.evaluate('window.permutive.config.consentRequired')).toEqual(JSON.parse(required));
    await visitor.untilWarned(refusal);
    await letPass(visitor.page, 60_000);
    expect(await stage.requests()).toEqual([]);
    await leavesNothing(visitor);
  });

  test('is not replaced by an element of its name, which requires none', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    await openChanged(visitor, stage.demo.site, '?consent=required&gpt=none', (html) =>
      html
        .replace(/<head[^>]*>/, '$&<meta id="permutive">')
        // The tag leaves the element as it is, so that the page's call would throw.
        .replace(/window\.permutive\.addon\(/, '(() => undefined)('),
    );
    await visitor.untilWarned("Can't find permutive tag on the page");
    expect(await visitor.page.evaluate('String(window.permutive)')).toBe('[object HTMLMetaElement]');
    await letPass(visitor.page, 60_000);
    expect(await stage.requests()).toEqual([]);
    await leavesNothing(visitor);
  });
});

describe('An answer about consent that is none', () => {
  const stage = stageForTests();

  test.each([
    ['text in place of a refusal', { opt_in: 'false' }],
    ['a number', { opt_in: 0 }],
    ['false alone', false],
  ])('is a refusal: %s', async (_, answer) => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('Pageview');
    await visitor.ask((permutive, given) => permutive.consent(given as never), answer);
    expect(await visitor.track('Refused')).toBeNull();
    await until(async () => ((await visitor.databases()).length === 0 ? true : undefined), 'the database to go');
    await untilRefused(visitor);
    const { 'permutive-consent': record, ...others } = await visitor.storage();
    expect(JSON.parse(record ?? '')).toMatchObject({ opt_in: false });
    expect([others, await visitor.cookies()]).toEqual([{}, { 'permutive-consent': record }]);
    expect(await stage.arrived('Refused')).toEqual([]);
  });
});

describe('A link that a stranger has made', () => {
  const stage = stageForTests();
  const count = 20;
  // Playwright’s commands for Firefox repeat the address in each of their messages, which keeps the page waiting.
  const fragment = 'x'.repeat(browserName === 'firefox' ? 100_000 : 1_000_000);

  /** How many events of that name the store has. */
  const stored = async ({ page }: Visitor, name: string): Promise<number> =>
    (await storedRecords(page))
      .map(({ text }) => text?.split(`"name":"${name}"`).length ?? 1)
      .reduce((a, b) => a + b - 1, 0);

  test('destroys nothing of the history, and repeats no upload', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await visitor.ask(async (permutive, times) => {
      for (let i = 0; i < times; i += 1) await permutive.track('Kept', { i });
    }, count);
    await until(async () => ((await stored(visitor, 'Kept')) === count ? true : undefined), 'the history');
    await stage.untilArrived('Kept', count);
    const overrides = { eventsTTLInDays: '0.0000001', eventsCacheLimitBytes: '1', requestTimeout: '100' };
    const query = Object.entries(overrides).map(([name, value]) => `__permutive.${name}=${value}`);
    await visitor.open(`/blank?${query.join('&')}#${fragment}`);
    await visitor.ready();
    const [, second] = await stage.untilArrived('Pageview', 2);
    const { client } = second!.properties as { readonly client: { readonly url: string } };
    expect(client.url.length).toBeLessThanOrEqual(2048);
    await until(async () => ((await stored(visitor, 'Pageview')) === 2 ? true : undefined), 'the second page view');
    expect(await stored(visitor, 'Kept')).toBe(count);
    await untilSettled(stage, visitor);
    // What the page before had under way when it was left may come twice.
    const before = await stage.duplicates();
    // Longer than the time-out of the link, shorter than the least that a link may set.
    await stage.fault({ path: '/batch/events' }, { delayMs: 150 });
    await visitor.track('Slow');
    await stage.untilArrived('Slow');
    await untilSettled(stage, visitor);
    expect((await stage.duplicates()) - before).toBe(0);
    const kept = await visitor.page.evaluate(() => sessionStorage.getItem('__permutiveConfigQueryParams'));
    expect(JSON.parse(kept ?? '')).toEqual({
      eventsTTLInDays: 1,
      eventsCacheLimitBytes: 500_000,
      requestTimeout: 1000,
    });
  });
});
