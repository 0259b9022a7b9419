import { openChanged } from '../support/changedPage';
import { stageForTests } from '../support/stage';
import { until } from '../support/until';
import { untilSettled } from '../support/untilSettled';

describe('What the browser adds to requests of the SDK', () => {
  const stage = stageForTests();

  test('names no page to servers, also where the page’s policy would, and has no cookies of the site', async () => {
    const visitor = await stage.visitor();
    const { site, cdn, api } = stage.demo;
    await visitor.context.addCookies([{ name: 'session', value: 'secret', url: site, httpOnly: true }]);
    const referrers: string[] = [];
    visitor.context.on('request', (request) => {
      const isOurs = [cdn, api].some((server) => request.url().startsWith(server));
      // The page asks for the page script, and not the SDK.
      if (isOurs && !request.url().endsWith('-web.js')) referrers.push(request.headers()['referer'] ?? '');
    });
    await openChanged(visitor, site, '?reset_token=secret&__permutive.metricsSamplingPercentage=100', (html) =>
      html.replace(/<head[^>]*>/, '$&<meta name="referrer" content="unsafe-url">'),
    );
    await visitor.ready();
    await untilSettled(stage, visitor);
    await visitor.page.goto('about:blank');
    const metrics = await until(async () => {
      const requests = await stage.requests('/v2.0/internal/metrics');
      return requests.length > 0 ? requests : undefined;
    }, 'the metrics of a page that goes');
    expect(metrics.map(({ cookie }) => cookie)).not.toContain(true);
    expect(referrers.length).toBeGreaterThan(3);
    expect(referrers.filter((referrer) => !/^(http:\/\/[^/]+\/)?$/.test(referrer))).toEqual([]);
  });
});
