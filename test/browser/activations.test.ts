import { browserName } from './support/browserName';
import { changeBundle } from './support/changedBundle';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

/** Any text, where a value is compared. */
const text: unknown = expect.any(String);
const list: unknown = expect.any(Array);

const savings = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';

describe('A publisher’s page', () => {
  const stage = stageForTests();

  test('has its placeholders filled, once for all that needs them', async () => {
    const visitor = await stage.visitor();
    await visitor.open(savings);
    await visitor.ready();
    const [pageview] = await stage.untilArrived('Pageview');
    expect(JSON.stringify(pageview?.properties)).not.toMatch(/"\$(ip|alchemy|taxonomy)_/);
    expect(pageview?.properties).toMatchObject({
      geo_info: { continent: text, country: text },
      isp_info: { organization: text },
      classifications: { taxonomy_labels: list, keywords: list },
    });
    const context = await visitor.ask(({ context: { geoip, watson } }) => ({ geoip, watson }));
    expect(context).toMatchObject({ geoip: { country: text, isp: text }, watson: { taxonomy: list } });
    expect([(await stage.requests('/geoip')).length, (await stage.requests('/watson')).length]).toEqual([1, 1]);
  });

  test('loses no page view whose data never comes', async () => {
    const visitor = await stage.visitor();
    await stage.fault({ path: '/v2.0/geoip' }, { hang: true });
    await visitor.open(savings);
    await visitor.ready('initialised');
    const view = await visitor.ask(({ context }) => context.view_id);
    await visitor.page.goto('about:blank');
    // Firefox may end scripts of a page that is left wherever they are. The next page sends what they have kept.
    if (browserName === 'firefox') await visitor.open('/markets');
    const pageview = await until(
      async () => (await stage.arrived('Pageview')).find(({ view_id }) => view_id === view),
      'the Pageview of the page that was left',
    );
    // The server is to fill them.
    expect(pageview.properties).toMatchObject({ geo_info: '$ip_geo_info', isp_info: '$ip_isp_info' });
  });

  test('tells of forms without what is personal, and of links that leave it', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/newsletters');
    await visitor.ready();
    await visitor.page.locator('#email').fill('reader@site.example');
    await visitor.page.locator('[data-test="letter-form"] button').click();
    const [form] = await stage.untilArrived('FormSubmission');
    expect(form?.properties['form']).toEqual({
      id: 'newsletter',
      name: 'newsletter',
      action: `${stage.demo.site}/newsletters`,
      method: 'get',
      properties: [{ name: 'letter', value: 'finance' }],
    });
    expect(JSON.stringify(form?.properties['form'])).not.toContain('reader');
    await visitor.page.waitForURL('**/newsletters?*');
    await visitor.ready();
    await visitor.page.locator('[data-test="sections"] a[href="/markets"]').click();
    await visitor.page.waitForURL('**/markets');
    const [link] = await stage.untilArrived('LinkClick');
    expect(link?.properties['dest_url']).toBe(`${stage.demo.site}/markets`);
  });

  /** The bundle with a script of the sample project replaced, to be run for the cohort of everybody. */
  const withScript = async (visitor: Visitor, code: string): Promise<void> => {
    await changeBundle(visitor.page, {
      deferred: (text) =>
        text.replace(
          /sc:20604,tt:"EveryTime",c:\{script:"[^"]*"\}/,
          `sc:20401,tt:"EveryTime",c:{script:${JSON.stringify(code)}}`,
        ),
    });
  };

  test('runs a publisher’s script under nonce, strict-dynamic and trusted types, and tells of it', async () => {
    const visitor = await stage.visitor();
    await withScript(
      visitor,
      "var publishers=1;document.documentElement.dataset.ran=String(document.currentScript.nonce!=='')",
    );
    await visitor.open('/blank?csp=strict&permutive_debug=true');
    await until(
      async () =>
        (await visitor.page.evaluate(() =>
          [document.documentElement.dataset['ran'], (window as { publishers?: number }).publishers].join(),
        )) === 'true,1'
          ? true
          : undefined,
      'the script',
    );
    const [reaction] = await stage.untilArrived('Reaction');
    expect(reaction?.properties).toMatchObject({
      reaction_id: expect.stringContaining('005c02') as unknown,
      type: 'impression',
    });
    expect(await visitor.warnings()).toEqual([]);
  });

  test('hears nothing of a publisher’s script that throws, but for one report', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      window.onerror = () => void (document.title = 'heard');
    });
    await withScript(visitor, "throw new Error('publisher')");
    await visitor.open('/blank?permutive_debug=true');
    await visitor.untilWarned('Error running custom script');
    expect(await visitor.page.title()).not.toBe('heard');
    expect(await visitor.warnings()).toHaveLength(1);
  });

  test('stops after one report where the policy lets no script in without nonce', async () => {
    const visitor = await stage.visitor({ expected: /Content Security Policy|violates the following directive/ });
    await withScript(visitor, "document.documentElement.dataset.ran='true'");
    // Cohorts are this page's own once its page view has its data: by then the policy is there.
    const release = await visitor.hold('**/geoip*');
    await visitor.open(`${savings}?permutive_debug=true`);
    await visitor.page.evaluate(() => {
      const policy = document.createElement('meta');
      Object.assign(policy, { httpEquiv: 'Content-Security-Policy', content: 'script-src http: blob:' });
      document.head.append(policy);
    });
    release();
    await visitor.untilWarned('Error running custom script');
    expect(await visitor.page.evaluate(() => document.documentElement.dataset['ran'])).toBeUndefined();
    expect(await visitor.warnings()).toHaveLength(1);
  });

  test('asks for pixels over https, tells of them, and tells them its site and no more, whatever its own policy is', async () => {
    const visitor = await stage.visitor();
    const asked: string[] = [];
    const referrers: (string | undefined)[] = [];
    await visitor.page.route(/https:\/\/[^/]*\.example\//, async (route) => {
      asked.push(route.request().url());
      referrers.push(route.request().headers()['referer']);
      await route.fulfill({ status: 204 });
    });
    await visitor.page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => {
        const policy = Object.assign(document.createElement('meta'), { name: 'referrer', content: 'unsafe-url' });
        document.head.append(policy);
      }),
    );
    await changeBundle(visitor.page, {
      deferred: (text) => text.replace(/sc:20601,tt:"OnEntry",c:\{pixel_url/, 'sc:20401,tt:"OnEntry",c:{pixel_url'),
    });
    await visitor.open('/blank?reader=secret');
    await visitor.ready();
    await until(() => (asked.length > 0 ? true : undefined), 'the pixel');
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('Pageview', 2);
    expect(asked).toEqual(['https://pixel.northfield.example/enter?segment=money']);
    const reactions = (await stage.untilArrived('Reaction')).filter(({ properties }) =>
      String(properties['reaction_id']).includes('00a101'),
    );
    expect(reactions).toHaveLength(1);
    expect(referrers).toEqual([`${stage.demo.site}/`]);
  });
});
