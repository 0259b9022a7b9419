import { readFileSync } from 'node:fs';

import { builtFile, partFile } from './support/bundleFile';
import { openChanged } from './support/changedPage';
import { letPass, withClock } from './support/clock';
import { untilNothingToSend } from './support/entered';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { failedRequests, type Visitor } from './support/visitor';

const deferredFile = partFile('deferred');

describe('A page whose deferred chunk', () => {
  const stage = stageForTests();

  test('is missing says so once, and tracks', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.route(deferredFile, (route) => route.fulfill({ status: 404, body: '' }));
    await visitor.open('/blank?permutive_debug=true');
    await visitor.untilWarned('Failed to load addons');
    await visitor.ready();
    // Its place needs the chunk.
    await visitor.track('Placed', { place: '$ip_geo_info' });
    await stage.untilArrived('Placed');
    // Nobody can be told of an identity.
    expect(await visitor.ask((permutive) => permutive.identify('reader'))).toBeNull();
    expect(await stage.requests('/identify')).toEqual([]);
    expect(
      (await visitor.warnings()).filter((warning) => warning.includes('Loading chunk deferred failed')),
    ).toHaveLength(1);
  });

  test('is slow has its Pageview on the wire before the chunk has come, though the visitor leaves', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(deferredFile);
    await visitor.open('/blank', 'domcontentloaded');
    // The script has run by then: it asks for its chunk, and tells the page that it is there.
    await visitor.ready('initialised');
    await visitor.open('/empty');
    await stage.untilArrived('Pageview');
    await stage.untilArrived('PageviewComplete');
    release();
  });

  test('is slow tells the server who the visitor is once it has come, in the order of the calls', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(deferredFile);
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.ready('initialised');
    await visitor.ask((permutive) => {
      const given = [{ tag: 'publisher_id', id: 'first' }];
      void permutive.identify(given);
      void permutive.identify('second');
      // The SDK has a copy.
      given[0]!.id = 'changed';
    });
    release();
    const id = await visitor.ask((permutive) => permutive.identify('third'));
    expect(id).toBe((await visitor.cookies())['permutive-id']);
    const told = (await stage.requests('/identify')).map(
      ({ body }) => (JSON.parse(body ?? '') as { aliases: readonly { id: string }[] }).aliases[0]?.id,
    );
    expect(told).toEqual(['first', 'second', 'third']);
  });

  // WebKit collects an element that nobody holds, with its listeners, while its script is on the way.
  test('is slow runs it, though the browser has collected its garbage meanwhile', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(deferredFile);
    const asked = visitor.page.waitForRequest(deferredFile);
    await visitor.open('/blank', 'domcontentloaded');
    await asked;
    await visitor.page.evaluate(async () => {
      for (let round = 0; round < 20; round += 1) {
        Array.from({ length: 200_000 }, (_, i) => ({ i, list: [i] }));
        await new Promise<void>((done) => setTimeout(() => done(), 0));
      }
    });
    release();
    // Its place needs the chunk.
    await visitor.track('Placed', { place: '$ip_geo_info' });
    const [placed] = await stage.untilArrived('Placed');
    expect(placed?.properties['place']).toMatchObject({ country: expect.any(String) as string });
  });
});

describe('A page whose chunk of overrides', () => {
  const stage = stageForTests();
  const overridesFile = partFile('overrides');

  test('is missing says so once, and tracks with the settings that it has', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.route(overridesFile, (route) => route.fulfill({ status: 404, body: '' }));
    await visitor.open('/blank?permutive_debug=true');
    await visitor.untilWarned('Failed to load overrides');
    await visitor.ready();
    await stage.untilArrived('Pageview');
    await untilNothingToSend(stage, visitor);
    expect(await visitor.warnings()).toHaveLength(1);
    expect(await visitor.page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });

  test('is slow loses nothing of a visitor who leaves before it has come', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(overridesFile);
    const asked = visitor.page.waitForRequest(overridesFile);
    await visitor.open('/blank?permutive_debug=true', 'domcontentloaded');
    await asked;
    await visitor.ask((permutive) => void permutive.track('Early'));
    await visitor.open('/empty');
    expect(Object.values(await visitor.storage()).join()).toContain('"Early"');
    release();
    await visitor.open('/blank');
    await stage.untilArrived('Early');
  });

  test('is not asked for where nothing may be overridden', async () => {
    const visitor = await stage.visitor();
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(request.url()));
    await visitor.open('/blank?debug=true');
    await visitor.ready();
    expect(asked.filter((url) => url.includes('.overrides.'))).toEqual([]);
    await visitor.open('/blank?__permutive.requestTimeout=4000');
    await visitor.ready();
    await visitor.open('/blank');
    await visitor.ready();
    expect(asked.filter((url) => url.includes('.overrides.'))).toHaveLength(2);
  });
});

describe('A worker whose explanations', () => {
  const stage = stageForTests();

  test('are missing says so, counts on, and explains once they have come', async () => {
    const visitor = await stage.visitor({ expected: /Failed to load resource|importScripts/ });
    const file = partFile('worker.explanations');
    await visitor.context.route(file, (route) => route.fulfill({ status: 404, body: '' }));
    await visitor.open('/blank?permutive_debug=true');
    await visitor.ready();
    const explain = (): Promise<string | null> => visitor.ask((permutive) => permutive.explain(20123));
    expect(await explain()).toMatch(/^The cohort could not be explained\./);
    await visitor.untilWarned('Failed to explain a cohort');
    await stage.untilArrived('SegmentEntry');
    await visitor.context.unroute(file);
    expect(await explain()).toMatch(/^Cohort 20123:/);
  });
});

describe('A page that can load the engine neither in a worker nor on the page', () => {
  const stage = stageForTests();

  test('says so once, delivers its events, and keeps the cohorts of the last page', async () => {
    const visitor = await stage.visitor({ expected: /Failed to load resource|importScripts/ });
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    // Services have given their cohorts then.
    await visitor.ask((permutive) => permutive.startup());
    await visitor.track('Before');
    const [before] = await stage.untilArrived('Before');
    expect(before?.cohorts).not.toEqual([]);
    for (const file of ['worker', 'worker.queries', 'engine'])
      await visitor.context.route(partFile(file), (route) => route.fulfill({ status: 404, body: '' }));
    await visitor.open('/blank?permutive_debug=true');
    await visitor.untilWarned('No engine could be loaded');
    for (let i = 0; i < 5; i += 1) await visitor.track('After', { i });
    const after = await stage.untilArrived('After', 5);
    for (const { cohorts } of after) expect(cohorts).toEqual(before?.cohorts);
    await stage.untilArrived('Pageview', 2);
    // The next page still knows them.
    await visitor.open('/blank?permutive_debug=true');
    await visitor.track('Later');
    expect((await stage.untilArrived('Later'))[0]?.cohorts).toEqual(before?.cohorts);
    // Once on each page. The second page may say it after its event has arrived.
    const said = async (): Promise<readonly string[]> =>
      (await visitor.warnings()).filter((warning) => warning.includes('No engine could be loaded'));
    await until(async () => (await said()).length >= 2 || undefined, 'the warning of the second page');
    expect(await said()).toHaveLength(2);
  });
});

describe('A page that has the script’s text instead of its address', () => {
  const stage = stageForTests();

  /** The sample site says where its files are. */
  const nowhere = 'delete permutive.config.cdnBaseUrl;';
  /** Opens a page that has the text of the script; `before` runs first. */
  const openInline = (visitor: Visitor, query: string, before = ''): Promise<void> =>
    openChanged(visitor, stage.demo.site, query, (html) => {
      const script = readFileSync(builtFile(''), 'utf8');
      const body = html.replace(/<script[^>]*-web\.js[^>]*><\/script>/, () => `<script>${before}${script}</script>`);
      expect(body).not.toBe(html);
      return body;
    });

  test('says in one line that it finds no other files, and leaves the page alone', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    await openInline(visitor, '', nowhere);
    const line =
      'Permutive was not initialized. The script has no address of its own, so it finds no other files. Set cdnBaseUrl.';
    await visitor.untilWarned(line);
    await letPass(visitor.page, 10_000);
    expect(await visitor.warnings()).toEqual([line]);
    // Another script of the page may have an address.
    expect(await visitor.ask((permutive) => Object.hasOwn(permutive, 'version'))).toBe(false);
  });

  test('finds them where a setting names their folder, and has cohorts', async () => {
    // Models and the AMP query would be there, too, and the sample site has them elsewhere.
    const visitor = await stage.visitor({ expected: failedRequests });
    const { host } = new URL(stage.demo.cdn);
    await openInline(
      visitor,
      '?permutive_debug=true',
      `permutive.config.cdnBaseUrl = '${host}'; permutive.config.cdnProtocol = 'http';`,
    );
    await visitor.ready('realtime');
    await stage.untilEntered(20401);
    expect((await visitor.warnings()).filter((text) => /address|Failed to load/.test(text))).toEqual([]);
  });
});
