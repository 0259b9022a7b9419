import nock from 'nock';
import { map, merge, NEVER, of, skip } from 'rxjs';

import { fromContextual } from '../../src/cohorts/fromContextual';
import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { requests } from '../../src/streams/enrichment/requests';
import { callDeps, valueOf } from '../endpoints/support/callDeps';
import { addressesOf, eventOf } from '../support/events';
import { linesOf, reportMock } from '../support/reports';
import { type Answer, failures, malformed, replyTo, settingsFor, withoutNetwork } from './support/serverAnswers';

const api = 'https://api.permutive.com';
const pageUrl = 'https://www.site.example/copper';

const view = eventOf('view', { properties: { client: { url: pageUrl }, section: 'metals' } });

/** The requests of one page, and what is left of them. */
const pageOf = (answer: Answer) => {
  const report = reportMock();
  const local = memoryStorage();
  const addressOf = addressesOf(pageUrl);
  const deps = {
    ...callDeps(settingsFor(answer)),
    local,
    report,
    addressOf,
    project: {},
    sessionId: () => 'session',
  };
  const { geoip, watson } = requests({ ...deps, isClassified: () => true, stop$: NEVER });
  return {
    geoip: () => valueOf(geoip().pipe(map(({ answer }) => answer))),
    watson: () => valueOf(watson(pageUrl).pipe(map(({ answer }) => answer))),
    contextual: () => valueOf(fromContextual({ given$: NEVER, viewed$: NEVER, pageview$: NEVER, addressOf }, deps)),
    /** What the server says once it has seen the page. */
    segmented: () =>
      valueOf(
        fromContextual({ given$: NEVER, viewed$: NEVER, pageview$: merge(of(view), NEVER), addressOf }, deps).pipe(
          skip(1),
        ),
      ),
    reported: () => linesOf(report),
    kept: () => local.read('permutive-data-enrichers'),
  };
};

withoutNetwork();

describe('the place', () => {
  const asking = (answer: Answer) => {
    replyTo(nock(api).get('/v2.0/geoip?include=geo&include=isp&include=ip_hash&k=key'), answer);
    return pageOf(answer);
  };

  it('is what the server answers', async () => {
    const page = asking([200, { geo_info: { country: 'Germany' }, isp_info: null, more: 1 }]);
    await expect(page.geoip()).resolves.toMatchObject({ geo_info: { country: 'Germany' } });
    expect(page.reported()).toEqual([]);
    expect(page.kept()).toContain('Germany');
  });

  it.each([
    ...failures,
    ...malformed(
      { geo_info: [] },
      { geo_info: { country: 44 } },
      { isp_info: 'Fibre' },
      { isp_info: { autonomous_system_number: '7' } },
      { ip_hash: 7 },
    ),
  ])('is empty and not kept, with a report, where the answer %s', async (_, answer, cause) => {
    const page = asking(answer);
    await expect(page.geoip()).resolves.toEqual({});
    expect(page.reported()).toEqual([expect.stringMatching(/^Error fetching geoip: /)]);
    expect(page.reported()[0]).toMatch(cause);
    expect(page.kept()).toBeNull();
  });
});

describe('the classification', () => {
  const asking = (answer: Answer) => {
    replyTo(nock(api).post('/v2.0/watson?k=key', { url: pageUrl, classify: true }), answer);
    return pageOf(answer);
  };

  it('is what the server answers', async () => {
    const page = asking([200, { taxonomy: [{ label: '/metals', score: 0.9 }], emotion: null }]);
    await expect(page.watson()).resolves.toMatchObject({ taxonomy: [{ label: '/metals', score: 0.9 }] });
    expect(page.reported()).toEqual([]);
    expect(page.kept()).toContain('/metals');
  });

  it.each([
    ...failures,
    ...malformed(
      { taxonomy: {} },
      { taxonomy: [{ label: 7, score: 1 }] },
      { keywords: [{ text: 'copper' }] },
      { sentiment: { document: { label: 'positive' } } },
      { emotion: { document: { emotion: { joy: 'much' } } } },
    ),
  ])('is empty and not kept, with a report, where the answer %s', async (_, answer, cause) => {
    const page = asking(answer);
    await expect(page.watson()).resolves.toEqual({});
    expect(page.reported()).toEqual([expect.stringMatching(/^Error fetching watson: /)]);
    expect(page.reported()[0]).toMatch(cause);
    expect(page.kept()).toBeNull();
  });
});

describe('what is known of the page', () => {
  const asking = (answer: Answer) => {
    replyTo(nock(api).get('/ctx/v1/state').query({ url: pageUrl, k: 'key' }), answer);
    return pageOf(answer);
  };
  const known = { activations: { dfp_contextual: ['metal'] }, cohorts: ['metal'] };

  it('is what the server answers', async () => {
    const page = asking([200, known]);
    await expect(page.contextual()).resolves.toEqual(known);
    expect(page.reported()).toEqual([]);
  });

  it.each([
    ...failures,
    ...malformed(
      {},
      { ...known, cohorts: 'metal' },
      { ...known, cohorts: [7] },
      { ...known, activations: { dfp_contextual: 'metal' } },
      { ...known, requires_segmentation: 'yes' },
      { ...known, contextual_data: { classifications: { keywords: [{ value: 7 }] } } },
    ),
  ])('is nothing, with a report, where the answer %s', async (_, answer, cause) => {
    const page = asking(answer);
    await expect(page.contextual()).resolves.toEqual({ activations: {}, cohorts: [], requires_segmentation: false });
    expect(page.reported()).toEqual([expect.stringMatching(/^Failed to GET contextual data: /)]);
    expect(page.reported()[0]).toMatch(cause);
  });
});

describe('what is known of a page that the server wants to see', () => {
  const known = { activations: {}, cohorts: ['metal'] };
  const asking = (answer: Answer) => {
    replyTo(nock(api).get('/ctx/v1/state').query({ url: pageUrl, k: 'key' }), [
      200,
      { ...known, requires_segmentation: true },
    ]);
    const body = { url: pageUrl, page_properties: { section: 'metals' } };
    replyTo(nock(api).post('/ctx/v1/segment?k=key', JSON.stringify(body)), answer);
    return pageOf(answer);
  };

  it('is what the server answers to its properties', async () => {
    const page = asking([200, { ...known, cohorts: ['metal', 'copper'] }]);
    await expect(page.segmented()).resolves.toEqual({ ...known, cohorts: ['metal', 'copper'] });
    expect(page.reported()).toEqual([]);
  });

  it.each([
    ...failures,
    ...malformed({}, { ...known, cohorts: 'metal' }, { ...known, activations: { dfp_contextual: 'metal' } }),
  ])('is nothing, with a report, where the answer %s', async (_, answer, cause) => {
    const page = asking(answer);
    await expect(page.segmented()).resolves.toEqual({ activations: {}, cohorts: [], requires_segmentation: false });
    expect(page.reported()).toEqual([expect.stringMatching(/^Failed to GET contextual data: /)]);
    expect(page.reported()[0]).toMatch(cause);
  });
});
