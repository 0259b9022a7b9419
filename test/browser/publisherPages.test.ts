import { stageForTests } from './support/stage';
import { until } from './support/until';

const savings = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';
const tech = '/tech/how-to/lock-down-a-home-office-in-one-evening';

describe('The publisher’s pages', () => {
  const stage = stageForTests();

  test('show what each of two ad servers is told', async () => {
    const visitor = await stage.visitor();
    await visitor.open(savings);
    await visitor.ready('realtime');
    await visitor.open('/advertising/two-ad-servers');
    const told = await until(async () => {
      const [google, appnexus] = await Promise.all(
        ['google-keys', 'appnexus-keys'].map((name) => visitor.page.textContent(`[data-test="${name}"]`)),
      );
      return google?.includes('rts') && appnexus?.includes('rts') ? { google, appnexus } : undefined;
    }, 'the keys of both ad servers');
    expect(told.google).toMatch(/permutive: .*20111/);
    expect(told.appnexus).toMatch(/permutive: .*20111/);
    await stage.untilArrived('AppNexusAdImpression');
  });

  test('give an AMP page the cohorts that the visitor’s other pages have found', async () => {
    const visitor = await stage.visitor();
    await visitor.open(tech);
    await visitor.ready('realtime');
    await until(async () => (await stage.requests('/amp/cohorts')).length > 0 || undefined, 'the list for AMP pages');
    await visitor.open(`/amp${tech}`);
    expect(await visitor.page.evaluate(() => 'permutive' in window)).toBe(false);
    await until(
      async () => (await visitor.page.textContent('[data-test="amp-ad"]'))?.includes('20116') || undefined,
      'the cohorts of the AMP page',
    );
  });

  test('give an AMP page of an unknown visitor none', async () => {
    const visitor = await stage.visitor();
    await visitor.open(`/amp${tech}`);
    await until(
      async () =>
        (await visitor.page.textContent('[data-test="amp-ad"]')) === 'An advertisement for everybody' || undefined,
      'the advertisement for everybody',
    );
  });
});
