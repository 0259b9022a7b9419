import type { Route } from 'playwright-core';

import { changeBundle } from './support/changedBundle';
import { openChanged } from './support/changedPage';
import { pause } from './support/pause';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { failedRequests, type Visitor } from './support/visitor';

const pixel = 'https://pixel.northfield.example/enter?segment=money';
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
/** An image that browsers may keep. */
const kept = { contentType: 'image/gif', headers: { 'cache-control': 'max-age=86400' }, body: gif };

describe('A publisher’s pixel', () => {
  const stage = stageForTests();

  /** Pages of a project whose visitors all have the pixel, with that trigger. Answers what leaves the browser. */
  const prepare = async (
    visitor: Visitor,
    trigger: 'OnEntry' | 'EveryTime',
    answer: (route: Route) => Promise<void> = (route) => route.fulfill(kept),
  ): Promise<readonly string[]> => {
    const asked: string[] = [];
    await visitor.page.route('https://pixel.northfield.example/**', async (route) => {
      asked.push(route.request().url());
      await answer(route);
    });
    await changeBundle(visitor.page, {
      deferred: (text) => text.replace(/sc:20601,tt:"OnEntry",c:\{pixel_url/, `sc:20401,tt:"${trigger}",c:{pixel_url`),
    });
    return asked;
  };
  const untilAsked = (asked: readonly string[], count: number): Promise<unknown> =>
    until(() => asked.length >= count || undefined, `${count} requests of the pixel`);
  const impressions = async () =>
    (await stage.arrived('Reaction')).filter(({ properties }) => String(properties['reaction_id']).includes('00a101'));
  const untilImpressions = (count: number): Promise<unknown> =>
    until(async () => (await impressions()).length >= count || undefined, `${count} impressions`);
  const nextView = (visitor: Visitor, n: number): Promise<void> =>
    visitor.ask((permutive, page) => permutive.addon('web', { page }), { n });

  test('is requested in each view of one document, though the browser has its image', async () => {
    const visitor = await stage.visitor();
    const asked = await prepare(visitor, 'EveryTime');
    await visitor.open('/blank');
    await visitor.ready();
    await untilAsked(asked, 1);
    await nextView(visitor, 2);
    await untilAsked(asked, 2);
    await untilImpressions(2);
    await visitor.open('/blank');
    await visitor.ready();
    await untilAsked(asked, 3);
    await untilImpressions(3);
    await stage.untilQuiet();
    expect(asked).toEqual([pixel, pixel, pixel]);
    expect(await impressions()).toHaveLength(3);
  });

  test('is requested as an image where the page’s policy allows it only so, each time', async () => {
    const visitor = await stage.visitor({ expected: /Content Security Policy|blocked the loading of a resource/ });
    const asked = await prepare(visitor, 'EveryTime');
    const { site, api, cdn } = stage.demo;
    const policy = `connect-src 'self' ${site} ${api} ${cdn}; img-src https://pixel.northfield.example`;
    await openChanged(visitor, site, '', (html) =>
      html.replace('<head>', `$&<meta http-equiv="Content-Security-Policy" content="${policy}">`),
    );
    await visitor.ready();
    await untilAsked(asked, 1);
    await nextView(visitor, 2);
    await untilAsked(asked, 2);
    await untilImpressions(2);
    expect(asked.map((url) => url.replace(/&cb=[\w-]{36}$/, ''))).toEqual([pixel, pixel]);
    expect(new Set(asked).size).toBe(2);
  });

  test('that is blocked makes no impression, and is requested again on the next page', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    let isBlocked = true;
    const asked = await prepare(visitor, 'OnEntry', (route) =>
      isBlocked ? route.abort('blockedbyclient') : route.fulfill(kept),
    );
    await visitor.open('/blank');
    await visitor.ready();
    await untilAsked(asked, 1);
    await pause(2000, 'the pixel counts as failed by then');
    isBlocked = false;
    await visitor.open('/blank');
    await visitor.ready();
    await untilAsked(asked, 2);
    await untilImpressions(1);
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('Pageview', 3);
    await stage.untilQuiet();
    expect(asked).toEqual([pixel, pixel]);
    expect(await impressions()).toHaveLength(1);
  });
});
