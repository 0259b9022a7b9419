import type { Request } from 'playwright-core';

import { changeBundle } from './support/changedBundle';
import { can, listMissing } from './support/needs';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilSettled } from './support/untilSettled';

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

  test('list each call of a partner as it is made, and answer for the partners’ hosts', async () => {
    const visitor = await stage.visitor();
    const images: Request[] = [];
    visitor.context.on('request', (request) => {
      if (new URL(request.url()).host.endsWith('.example')) images.push(request);
    });
    // One activation of each partner is of the cohort of everybody.
    const ofEverybody =
      /short_id:"(00a101|00b001|00fb01|007701|009101|007801|00d101|00e701|001001|009a01|00dd01|00fa01)",sc:\d+/g;
    await changeBundle(visitor.page, {
      deferred: (text) => text.replace(ofEverybody, 'short_id:"$1",sc:20401'),
    });
    const before = Date.now();
    await visitor.open('/advertising/partners');
    const calls = (): Promise<readonly (readonly [who: string, time: string, what: string])[]> =>
      visitor.page.$$eval('[data-call]', (rows) =>
        rows.map((row) => [
          row.getAttribute('data-call') ?? '',
          row.querySelector('time')?.textContent ?? '',
          row.querySelector('code')?.textContent ?? '',
        ]),
      );
    const told = await until(async () => {
      const all = await calls();
      return all.length >= 14 ? all : undefined;
    }, 'the calls of all partners');
    const userId = await visitor.ask((permutive) => permutive.user());
    const toDataLayer = told.filter(([who]) => who === 'data_layer').map(([, , what]) => what);
    // The newest call is the first.
    expect(toDataLayer).toEqual([
      'dataLayer.push({"event":"permutive_cohort_entry","permutive_cohort":"money"})',
      'dataLayer.push({"event":"permutive_cohorts","permutive_cohorts":",money,"})',
    ]);
    expect(Object.fromEntries(told.map(([who, , what]) => [who, what]))).toEqual({
      data_layer: toDataLayer[1],
      facebook_v2: 'fbq("trackSingleCustom", "100200300400500", "SegmentEntry", {"segment":"money-reader"})',
      tiktok: 'ttq.instance("C0LEDGERPOST").track("SegmentEntry", {"segment":"remote-worker"})',
      pinterest: 'pintrk("track", "SegmentEntry_fashion")',
      twitter_pixel:
        'twq("event", "tw-o1a2b-o1a2c", {"contents":[{"content_name":"SegmentEntry","content_id":"founders"}]})',
      gigya: 'gigya.accounts.setAccountInfo({"data":{"permutive_segments":{"loyal-reader":true}}})',
      pubmatic: expect.stringContaining('dpid=410&segid=20401') as unknown,
      tradedesk: expect.stringContaining(`ttd_puid=${userId}`) as unknown,
      eyeota: expect.stringContaining('cat=household-savers') as unknown,
      lotame: expect.stringContaining('/5/c=17310/seg=money') as unknown,
      ddp: expect.stringContaining(`user=${userId}&segment=responsible`) as unknown,
      neustar_fabrick: expect.stringContaining('segment=savings') as unknown,
      tracking_pixel: 'https://pixel.northfield.example/enter?segment=money',
    });
    const seconds = Array.from({ length: Math.ceil((Date.now() - before) / 1000) + 1 }, (_, second) =>
      new Date(before + second * 1000).toLocaleTimeString('en-GB'),
    );
    for (const [, time] of told) expect(seconds).toContain(time);
    // The paper's own pixel starts by itself, and may be asked for before the service worker runs.
    const left = images.filter((image) => !image.url().includes('pixel.northfield.example'));
    if (can('serviceWorkerRequests')) expect(left).toHaveLength(6);
    if (can('serviceWorkerAnswers'))
      for (const image of left) expect((await image.response())?.fromServiceWorker()).toBe(true);

    // Nothing is told twice, but for the list of the data layer, which each view has.
    await visitor.open('/advertising/partners');
    await until(
      async () => (await visitor.page.textContent('[data-test="partner-state"]')) === 'Listening' || undefined,
      'the start of the partners',
    );
    await visitor.ready('realtime');
    await until(async () => ((await calls()).length > 0 ? true : undefined), 'the list of the data layer');
    await untilSettled(stage, visitor);
    expect((await calls()).map(([who, , what]) => [who, what])).toEqual([['data_layer', toDataLayer[1]]]);
  });

  listMissing('serviceWorkerRequests', 'have each call by an image asked for');
  listMissing('serviceWorkerAnswers', 'have the calls answered by their service worker');

  test('list what the server has received', async () => {
    const visitor = await stage.visitor();
    await visitor.open(savings);
    await stage.untilArrived('Pageview');
    await visitor.open('/server');
    await visitor.page.waitForSelector('[data-event="Pageview"] code:text(\'"type":"server"\')');
    await until(async () => {
      const { length } = await stage.arrived();
      const told = await visitor.page.textContent('[data-test="server-state"]');
      return told?.startsWith(`${length} accepted, `) || undefined;
    }, 'the number of events');
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
