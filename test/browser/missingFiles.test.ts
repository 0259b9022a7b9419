import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { project } from '../../demo/project/project';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { failedRequests } from './support/visitor';

const name = `${project.workspaceId}-web`;
const deferredFile = `**/${name}.deferred.js`;

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
    await stage.untilQuiet();
    expect(visitor.warnings.filter((warning) => warning.includes('Loading chunk deferred failed'))).toHaveLength(1);
  });

  test('is slow has its Pageview on the wire before the chunk has come, though the visitor leaves', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(deferredFile);
    await visitor.open('/blank', 'domcontentloaded');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await visitor.open('/empty');
    await stage.untilArrived('Pageview');
    await stage.untilArrived('PageviewComplete');
    release();
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
        await new Promise((done) => setTimeout(done, 0));
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
  const overridesFile = `**/${name}.overrides.js`;

  test('is missing says so once, and tracks with the settings that it has', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.route(overridesFile, (route) => route.fulfill({ status: 404, body: '' }));
    await visitor.open('/blank?permutive_debug=true');
    await visitor.untilWarned('Failed to load overrides');
    await visitor.ready();
    await stage.untilArrived('Pageview');
    await stage.untilQuiet();
    expect(visitor.warnings).toHaveLength(1);
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

describe('A page that can load the engine neither in a worker nor on the page', () => {
  const stage = stageForTests();

  test('says so once, delivers its events, and keeps the cohorts of the last page', async () => {
    const visitor = await stage.visitor({ expected: /Failed to load resource|importScripts/ });
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await visitor.track('Before');
    const [before] = await stage.untilArrived('Before');
    expect(before?.cohorts).not.toEqual([]);
    for (const file of ['worker', 'worker.queries', 'engine'])
      await visitor.context.route(`**/${name}.${file}.js`, (route) => route.fulfill({ status: 404, body: '' }));
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
    expect(visitor.warnings.filter((warning) => warning.includes('No engine could be loaded'))).toHaveLength(2);
  });
});

describe('A page that has the script’s text instead of its address', () => {
  const stage = stageForTests();

  test('says once that it finds no other files', async () => {
    // Browsers let a page that a test has made up ask no local server.
    const visitor = await stage.visitor({ expected: /loopback|net::ERR_FAILED/ });
    const script = readFileSync(resolve(__dirname, `../../dist/${name}.js`), 'utf8');
    await visitor.page.route('**/blank?*', async (route) => {
      const html = await (await route.fetch()).text();
      const body = html.replace(/<script[^>]*-web\.js[^>]*><\/script>/, () => `<script>${script}</script>`);
      expect(body).not.toBe(html);
      await route.fulfill({ body, contentType: 'text/html' });
    });
    await visitor.open('/blank?permutive_debug=true');
    const said = (): readonly string[] => visitor.warnings.filter((text) => text.includes('address of the script'));
    await until(() => (said().length > 0 ? true : undefined), 'the warning');
    await stage.untilQuiet();
    expect(said()).toHaveLength(1);
  });
});
