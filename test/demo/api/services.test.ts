import { definitionsById } from '../../../demo/api/definitions';
import { encodeModels } from '../../../project/encodeModels';
import { advertiserSegment } from '../../../src/endpoints/advertiserSegment';
import { affinity } from '../../../src/endpoints/affinity';
import { ampCohorts } from '../../../src/endpoints/ampCohorts';
import { ampQuery } from '../../../src/endpoints/ampQuery';
import { audienceMatching } from '../../../src/endpoints/audienceMatching';
import { binaryModels } from '../../../src/endpoints/binaryModels';
import { classificationSegment } from '../../../src/endpoints/classificationSegment';
import { contextualSegment } from '../../../src/endpoints/contextualSegment';
import { contextualState } from '../../../src/endpoints/contextualState';
import { geoip } from '../../../src/endpoints/geoip';
import { identify } from '../../../src/endpoints/identify';
import { jsonModels } from '../../../src/endpoints/jsonModels';
import { legacyTpd } from '../../../src/endpoints/legacyTpd';
import { liftEvents } from '../../../src/endpoints/liftEvents';
import { liftQueries } from '../../../src/endpoints/liftQueries';
import { metrics } from '../../../src/endpoints/metrics';
import { pxid } from '../../../src/endpoints/pxid';
import { reportErrors } from '../../../src/endpoints/reportErrors';
import { reset } from '../../../src/endpoints/reset';
import { secureSignal } from '../../../src/endpoints/secureSignal';
import { stateSync } from '../../../src/endpoints/stateSync';
import { tpdUsage } from '../../../src/endpoints/tpdUsage';
import { watson } from '../../../src/endpoints/watson';
import type { Definition } from '../../../src/engine/language/language';
import { client, project } from './support/client';

// Every call goes through the SDK's own codecs, so an answer that came back is one the SDK accepts.

const stocksUrl = 'https://paper.example/markets/stocks/profits-rise-at-energy-firms.html';

describe('identify', () => {
  const alias = (id: string, priority = 0) => ({ tag: 'default', id, priority });

  it('gives a second browser the id of the first', async () => {
    const { call } = client();
    await expect(call(identify, { body: { user_id: 'first', aliases: [alias('reader')] } })).resolves.toEqual({
      user_id: 'first',
    });
    await expect(call(identify, { body: { user_id: 'second', aliases: [alias('reader')] } })).resolves.toEqual({
      user_id: 'first',
    });
    await expect(call(identify, { body: { user_id: 'third', aliases: [alias('someone else')] } })).resolves.toEqual({
      user_id: 'third',
    });
  });

  it('asks the aliases in the order of their priority, and adds the new ones to the owner', async () => {
    const { call } = client();
    await call(identify, { body: { user_id: 'a', aliases: [alias('low')] } });
    await call(identify, { body: { user_id: 'b', aliases: [alias('high')] } });
    await expect(
      call(identify, { body: { user_id: 'c', aliases: [alias('low', 5), alias('high', 0), alias('new', 9)] } }),
    ).resolves.toEqual({ user_id: 'b' });
    await expect(call(identify, { body: { user_id: 'd', aliases: [alias('new')] } })).resolves.toEqual({
      user_id: 'b',
    });
  });

  it('keeps tags apart', async () => {
    const { call } = client();
    await call(identify, { body: { user_id: 'a', aliases: [{ tag: 'appnexus', id: '7', priority: 1 }] } });
    await expect(
      call(identify, { body: { user_id: 'b', aliases: [{ tag: 'pxid', id: '7', priority: 1 }] } }),
    ).resolves.toEqual({ user_id: 'b' });
  });
});

describe('geoip', () => {
  const include = (...parts: string[]) => parts.map((part) => ['include', part] as const);

  it('gives the parts that were asked for', async () => {
    const { call } = client();
    const all = await call(geoip, { query: include('geo', 'isp', 'ip_hash') });
    expect(all.geo_info?.country).toEqual(expect.any(String));
    expect(all.isp_info?.autonomous_system_number).toEqual(expect.any(Number));
    expect(all.ip_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(all).not.toHaveProperty('ip_address');
    await expect(call(geoip, { query: include('ip') })).resolves.toEqual({
      geo_info: null,
      isp_info: null,
      ip_address: '127.0.0.1',
    });
  });

  it('goes by the address, or by a wish', async () => {
    const { app, call } = client();
    const at = async (address: string): Promise<unknown> =>
      (await app.request('/v2.0/geoip', { headers: { 'x-forwarded-for': address } })).json();
    expect(await at('203.0.113.7')).toEqual(await at('203.0.113.7'));
    const countries = await Promise.all(
      Array.from(
        { length: 30 },
        async (_, i) => ((await at(`203.0.113.${i}`)) as { geo_info: { country: string } }).geo_info.country,
      ),
    );
    expect(new Set(countries).size).toBeGreaterThan(3);
    await expect(call(geoip, { query: [['country', 'de']] })).resolves.toMatchObject({
      geo_info: { country: 'Germany', postal_code: null },
    });
  });
});

describe('watson and affinity', () => {
  it('go by the words of the URL', async () => {
    const { call } = client();
    const page = await call(watson, { body: { url: stocksUrl, classify: true } });

    expect(page.taxonomy?.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['/finance/investing/stocks', '/business and industrial/energy']),
    );
    expect(page.keywords?.map(({ text }) => text)).toEqual(expect.arrayContaining(['stocks', 'energy']));
    expect(page.entities).toEqual([{ text: 'paper', relevance: expect.any(Number) as number }]);
    expect(page.sentiment?.document).toEqual({ label: 'positive', score: 0.8 });
    expect(Object.keys(page.emotion?.document.emotion ?? {})).toEqual(['anger', 'disgust', 'fear', 'joy', 'sadness']);
    await expect(call(watson, { body: { url: stocksUrl, classify: true } })).resolves.toEqual(page);

    const { affinity_values } = await call(affinity, { query: [['url', stocksUrl]] });
    expect(Object.keys(affinity_values)).toEqual(expect.arrayContaining(['10000015', '10000033']));
    expect(Object.values(affinity_values).every((value) => value > 0.5 && value < 1)).toBe(true);
  });

  it.each([
    ['https://paper.example/news/phishing-attack-costs-a-loss', 'negative'],
    ['https://paper.example/guides/how-to', 'neutral'],
  ])('%s is %s', async (url, label) => {
    await expect(client().call(watson, { body: { url, classify: true } })).resolves.toMatchObject({
      sentiment: { document: { label } },
    });
  });

  it.each(['', 'no url', 'https://%zz.example/%', 'https://10.0.0.1/1/2'])('say little about %j', async (url) => {
    const { call } = client();
    await expect(call(watson, { body: { url, classify: true } })).resolves.toMatchObject({
      taxonomy: [],
      sentiment: { document: { label: 'neutral' } },
    });
    await expect(call(affinity, { query: [['url', url]] })).resolves.toEqual({ affinity_values: {} });
  });
});

describe('third-party data', () => {
  it('gives the segments that the queries ask for, always the same', async () => {
    const { call } = client();
    const match = (id: string) =>
      call(audienceMatching, { params: { user_id: 'visitor' }, body: { identities: [{ tag: 'default', id }] } });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => match(String(i))));
    const segments = (provider: string) =>
      new Set(
        answers.flatMap(({ items }) =>
          items.filter((item) => item.provider === provider).flatMap((item) => item.segments),
        ),
      );

    expect(segments('acme')).toEqual(new Set(['7001', '7002', '7003', '7004']));
    expect(segments('north')).toEqual(new Set(['50007']));
    await expect(match('7')).resolves.toEqual(answers[7]);
  });

  it('gives the old call what the user id alone would give', async () => {
    const { call } = client();
    for (const user_id of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const matched = await call(audienceMatching, { params: { user_id }, body: { identities: [] } });
      await expect(call(legacyTpd, { body: { user_id } })).resolves.toEqual(matched);
    }
  });
});

describe('advertiser cohorts', () => {
  it('decode, have positive counts and count the requests', async () => {
    const { call } = client();
    const custom_cohorts = Array.from({ length: 30 }, (_, i) => 20_100 + i);
    const first = await call(advertiserSegment, {
      body: { user_id: 'visitor', ctx: null, custom_cohorts, standard_cohorts: [10_000_015] },
    });

    expect(first.c.cohorts.length).toBeGreaterThan(3);
    expect(first.c.groups.counts.every((count) => count > 0)).toBe(true);
    expect(first.ctx).toEqual({ asked: 1 });
    const second = await call(advertiserSegment, {
      body: { user_id: 'visitor', ctx: first.ctx, custom_cohorts: [], standard_cohorts: [] },
    });
    expect(second).toMatchObject({ c: { cohorts: [] }, ctx: { asked: 2 } });
  });
});

describe('contextual', () => {
  it('gives the codes of the project for what the URL says', async () => {
    const state = await client().call(contextualState, { query: [['url', stocksUrl]] });

    expect(state.requires_segmentation).toBe(false);
    expect(state.cohorts).toContain('mstk');
    expect(state.activations['dfp']).toEqual(state.cohorts);
    expect(state.contextual_data?.classifications?.categories).toContainEqual({
      value: '412',
      confidence: expect.any(Number) as number,
      taxonomy: 'iab_3.0',
      provider: 'ibm_watson',
    });
  });

  it('has to look at a page whose URL says nothing', async () => {
    const { call } = client();
    const url = 'https://paper.example/2026/01/8812';
    const page_properties = {
      article: { title: 'A password for every account', tags: ['Phishing'] },
      client: { referrer: 'https://travel.example/hotel' },
    };

    await expect(call(contextualState, { query: [['url', url]] })).resolves.toMatchObject({
      cohorts: [],
      requires_segmentation: true,
    });
    await expect(call(contextualSegment, { body: { url, page_properties } })).resolves.toMatchObject({
      cohorts: ['tsec'],
      requires_segmentation: false,
    });
    await expect(
      call(classificationSegment, { body: { user_id: 'visitor', url, page_properties, cohorts: [] } }),
    ).resolves.toEqual({ cohorts: ['clm-tsec'] });
  });
});

describe('files', () => {
  const params = { workspaceId: 'workspace' };
  const [model = ''] = Object.keys(project.models);

  it('writes models as the design has it', () => {
    const weights = new Map([
      ['const', -3],
      ['101', 2],
      ['102', 2.5],
      ['10000001', -1],
    ]);
    expect(
      Buffer.from(
        encodeModels([{ id: model, data_preference: '1p', weights }], { version: 2, precision: 12 }),
      ).toString('hex'),
    ).toBe(
      '026f1b2c3d4e5f4a6b8c7d9e0f1a2b3c4d010cc04000004020000000000018303b32742c3276663b312c3335723b357962797a2c313564',
    );
  });

  it('writes features that are no numbers by name', () => {
    const weights = new Map([
      ['const', 0],
      ['a;b', 1],
      ['012', 1],
      ['7', 1],
    ]);
    expect(
      Buffer.from(encodeModels([{ id: model, data_preference: '1p', weights }], { version: 2, precision: 12 }))
        .subarray(31)
        .toString(),
    ).toBe('0;7,35r;~a%3Bb,35r;~012,35r');
  });

  it('has the models of the project, the same in both forms', async () => {
    const { call } = client();
    const binary = Buffer.from(await call(binaryModels, { params }));
    const { models } = (await call(jsonModels, { params })) as {
      readonly models: Readonly<Record<string, { readonly '1p'?: Readonly<Record<string, number>> }>>;
    };

    expect(binary[0]).toBe(2);
    expect(binary.subarray(1, 17).toString('hex')).toBe(model.replaceAll('-', ''));
    expect(binary.readUInt32BE(27)).toBe(binary.length - 31);
    expect(Object.keys(models[model]?.['1p'] ?? {}).sort()).toEqual(['10000015', '10000018', '101', '102', 'const']);
    const values = Object.values(models[model]?.['1p'] ?? {});
    expect([binary.readFloatBE(19), binary.readFloatBE(23)]).toEqual([Math.min(...values), Math.max(...values)]);
  });

  it('is empty where the project has no models', async () => {
    const { call } = client({ project: { workspaceId: 'workspace' } });
    expect((await call(binaryModels, { params })).byteLength).toBe(0);
    await expect(call(jsonModels, { params })).resolves.toEqual({ models: {} });
  });

  it('has the queries for AMP pages', async () => {
    await expect(client().call(ampQuery, { params })).resolves.toEqual({
      query: { cohorts: project.platformCohorts.amp },
    });
  });
});

describe('partners', () => {
  it('pxid stays with the browser', async () => {
    const { app, call } = client();
    const { pxid: id } = await call(pxid);
    await expect(call(pxid)).resolves.toEqual({ pxid: id });

    const response = await app.request('/v2.0/pxid', { headers: { cookie: 'other=1; pxid=mine-7' } });
    expect(await response.json()).toEqual({ pxid: 'mine-7' });
    expect(response.headers.get('set-cookie')).toBe('pxid=mine-7; Path=/; Max-Age=15770000; SameSite=None; Secure');
  });

  it('segment sync takes a form', async () => {
    const api = client();
    expect((await api.post('/sync/key?k=key', 'segments=101%2C102')).status).toBe(200);
    expect((await api.post('/sync/key?k=key', 'other=101')).status).toBe(400);
    expect(await api.get('/bad')).toMatchObject({ rejected: [{ errors: [{ expected: 'a form with segments' }] }] });
  });
});

describe('reports', () => {
  const context = {
    continent: null,
    environment: 'production',
    events_count: 1,
    os: 'linux',
    sample_rate: 20,
    sdk_version: 'v',
    segments_count: 0,
    session_count: 1,
    session_init_count: 1,
    session_view_count: 1,
    user_agent: 'a',
  };

  it('are accepted and can be read', async () => {
    const { call, get } = client();
    await call(reset);
    await call(metrics, {
      body: { context, items: [{ name: 'sdk_http_request_count_total', value: 1, labels: { method: 'POST' } }] },
    });
    await call(tpdUsage, {
      body: { user_id: 'u', time: '2026-01-01T00:00:00.000Z', tpd_segments: { acme: ['7001'] } },
    });
    await call(ampCohorts, { query: [['i', 'u']], body: { cohorts: ['101'] } });
    await expect(call(reportErrors, { body: [] })).resolves.toBe('OK');

    expect(await get('/requests?path=metrics')).toMatchObject({
      requests: [{ body: expect.stringContaining('sdk_http_request_count_total') as string }],
    });
    expect(await get('/bad')).toMatchObject({ count: 0 });
  });

  it.each([
    ['/v2.0/internal/metrics', { context, items: [{ name: 'm', value: '1', labels: {} }] }, 'items/0/value'],
    ['/sdk-errors/v2/errors', [{ platform: 'ios' }], '0/platform'],
    ['/v2.0/tpd/usage', { user_id: 'u', time: 't', tpd_segments: { acme: [7001] } }, 'tpd_segments/acme/0'],
    ['/v2.0/watson', { url: 'u', classify: false }, 'classify'],
    ['/adv/v4/segment', { user_id: 'u', ctx: null, custom_cohorts: ['1'], standard_cohorts: [] }, 'custom_cohorts/0'],
    ['/audience-matching/v1/id/u', { identities: [{ tag: 'default' }] }, 'identities/0/id'],
    ['/v1.0/state', { group_id: 'g', event_source_id: 's', state: {}, last_seen_offset: 0 }, 'state'],
  ])('%s refuses what the SDK would not send', async (path, body, at) => {
    const api = client();
    expect((await api.post(path, body)).status).toBe(400);
    const { rejected } = (await api.get('/bad')) as { rejected: { errors: { path: string }[] }[] };
    expect(rejected[0]?.errors.map((error) => error.path)).toContain(at);
  });
});

describe('state sync', () => {
  const told = (q: Record<string, unknown>): string => JSON.stringify({ v: 2, q });
  type Api = ReturnType<typeof client>;
  const sync = (
    api: Api,
    source: string,
    state: string,
    last_seen_offset: number,
    fetchUnseen: boolean,
    group_id = 'g',
  ) =>
    api.call(stateSync, {
      query: [['fetch_unseen', String(fetchUnseen)]],
      body: { group_id, event_source_id: source, state, last_seen_offset },
    });

  it('gives what other sources of the group have told', async () => {
    const api = client();
    await sync(api, 'phone', told({ '1': ['c1', [[281_098, 1], 5]] }), 0, false);
    await sync(api, 'tablet', told({ '1': ['c1', [0, 7]] }), 0, false);
    await sync(api, 'stranger', told({ '1': ['c1', [0, 9]] }), 0, false, 'another group');

    const answer = await sync(api, 'laptop', '{}', 0, true);
    expect(JSON.parse(answer.state)).toEqual({
      v: 2,
      s: { phone: { '1': ['c1', [[281_098, 1], 5]] }, tablet: { '1': ['c1', [0, 7]] } },
    });
    expect(answer.state_offset).toBe(2);
  });

  it('gives nothing twice, and nothing of one’s own', async () => {
    const api = client();
    await sync(api, 'phone', told({ '1': ['c1', [1]] }), 0, false);
    const { state_offset } = await sync(api, 'laptop', told({ '1': ['c1', [2]] }), 0, true);
    await expect(sync(api, 'laptop', '{}', state_offset, true)).resolves.toEqual({ state: '{}', state_offset });
    await sync(api, 'phone', told({ '2': ['c2', [3]] }), 0, false);
    const answer = await sync(api, 'laptop', '{}', state_offset, true);
    expect(JSON.parse(answer.state)).toEqual({ v: 2, s: { phone: { '2': ['c2', [3]] } } });
  });

  it('does not move the offset of a source that only tells', async () => {
    const api = client();
    await sync(api, 'phone', told({ '1': ['c1', [1]] }), 0, false);
    await expect(sync(api, 'laptop', told({ '1': ['c1', [1]] }), 0, false)).resolves.toEqual({
      state: '{}',
      state_offset: 0,
    });
  });

  it('joins what one source told, as the engine does', async () => {
    const query = { id: '1', checksum: 'c1', q: { event: 'Pageview', is: { gte: 9 }, within: { days: 7 } } };
    const api = client({ project: { workspaceId: 'w', queries: [query] } });
    await sync(api, 'phone', told({ '1': ['c1', [[281_098, 1, 14, 1]]], unknown: ['c2', [[1, 1]]] }), 0, false);
    await sync(api, 'phone', told({ '1': ['c1', [[281_100, 2, 2, 3]]], unknown: ['c2', [[2, 1]]] }), 0, false);
    const answer = await sync(api, 'laptop', '{}', 0, true);
    expect(JSON.parse(answer.state)).toMatchObject({
      s: { phone: { '1': ['c1', [[281_100, 2, 2, 3, 14, 1]]], unknown: ['c2', [[2, 1]]] } },
    });
  });

  it('does not join across a change of meaning', async () => {
    const api = client();
    await sync(api, 'phone', told({ '1': ['old', [1]] }), 0, false);
    await sync(api, 'phone', told({ '1': ['new', [2]] }), 0, false);
    const answer = await sync(api, 'laptop', '{}', 0, true);
    expect(JSON.parse(answer.state)).toMatchObject({ s: { phone: { '1': ['new', [2]] } } });
  });

  it('forgives an offset from before a reset', async () => {
    const api = client();
    await sync(api, 'phone', told({ '1': ['c1', [1]] }), 0, false);
    await expect(sync(api, 'laptop', '{}', 99, true)).resolves.toMatchObject({ state_offset: 1 });
  });

  it.each(['no JSON', '[]', '{"v":1}', '{"v":2,"q":{"1":"c1"}}'])('refuses the state %s', async (state) => {
    const api = client();
    await expect(sync(api, 'phone', state, 0, false)).rejects.toThrow('Status code was 400');
    expect(await api.get('/bad')).toMatchObject({
      count: 1,
      rejected: [{ errors: [{ path: expect.stringMatching(/^state/) as string }] }],
    });
  });
});

describe('cloud lift', () => {
  const lifted = [
    {
      id: '30001',
      q: {
        and: [
          { event: 'Pageview', where: { p: 'secret', eq: 'x' }, is: { gte: 2 }, within: { days: 7 } },
          { not: { event: 'LinkClick' } },
        ],
      },
    },
    { id: '30002', q: { event: 'LinkClick', where: { p: 'dest_url', contains: ['x'] } } },
  ];
  const api = client({ project: { workspaceId: 'w', lifted } });
  const view = (secret: string) => ({
    id: secret,
    name: 'Pageview',
    time: '2026-01-01T00:00:00.000Z',
    properties: { secret },
    session_id: 's',
    view_id: 'v',
    cohorts: [],
    segments: [],
  });
  const lift = (...events: ReturnType<typeof view>[]) =>
    api.call(liftEvents, { query: [['qid', 'q']], body: { events } });
  const definitions = async (ids: string) =>
    (
      await api.call(liftQueries, {
        query: [
          ['qid', 'q'],
          ['target', 'javascript'],
          ['ids', ids],
        ],
      })
    ).queries as Definition[];

  it('gives the state of the posted events alone', async () => {
    const { result } = await lift(view('x'), view('y'), view('x'));
    expect(result.state).toEqual({ '30001': [expect.any(String), [expect.any(Array)]] });
    expect(await lift(view('x'), view('y'), view('x'))).toEqual({ result });
    expect((await lift(view('y'))).result.state).toEqual({});
  });

  it('hands out definitions without their rules, with the same layout of cells', async () => {
    const [query, ...others] = await definitions('30001,unknown');
    expect(others).toEqual([]);
    expect(JSON.stringify(query)).not.toContain('secret');
    const state = (await lift(view('x'))).result.state['30001'] as [string, readonly unknown[]];
    expect(query?.checksum).toBe(state[0]);
    const remote = {
      and: [
        { event: ['Pageview'], is: { gte: 2 }, within: 604_800_000, remote: true },
        { not: { event: ['LinkClick'], remote: true } },
      ],
    };
    expect(query).toMatchObject({ canonical: true, q: remote });
    expect(definitionsById([query]).size).toBe(1);
  });

  it('refuses more than 50 events', async () => {
    await expect(lift(...Array.from({ length: 51 }, () => view('x')))).rejects.toThrow('Status code was 413');
  });
});

describe('secure signal', () => {
  it('differs with the visitor and with the cohorts, and holds for a day', async () => {
    const { call } = client();
    const signalOf = (user_id: string, ...cohorts: string[]) => call(secureSignal, { body: { user_id, cohorts } });
    const answers = await Promise.all([signalOf('a', '7'), signalOf('a', '7', '8'), signalOf('b', '7')]);
    expect(new Set(answers.map(({ signal }) => signal)).size).toBe(3);
    expect(answers.map(({ expires_in }) => expires_in)).toEqual([86_400, 86_400, 86_400]);
  });
});
