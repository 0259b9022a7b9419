import { EMPTY, map, mergeMap, NEVER, type Observable, of, tap } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';

import { lateMs } from '../../../src/endpoints/lateFailures';
import { memoryStorage } from '../../../src/fakePlatform/memoryStorage';
import { json } from '../../../src/hardening/plainJson';
import type { Properties } from '../../../src/model/event';
import type { HttpAnswer, HttpRequest } from '../../../src/platform/platform';
import { type Enrichment, enrichment, type EnrichmentDeps } from '../../../src/streams/enrichment/enrichment';
import { type Filling, filling } from '../../../src/streams/enrichment/requests';
import { addressesOf, eventOf } from '../../../test/support/events';
import { reportMock } from '../../../test/support/reports';
import { settingsOf } from '../../../test/support/settings';
import { marble, marbles } from '../../support/marbles';

const url = 'https://site.example/a';
const tracked = (properties: object, view?: { watson?: boolean }, page = url, left?: object) => ({
  draft: {
    name: 'Pageview',
    ...(view && { view: { isAnother: false, client: {}, ...view } }),
    ...(left && { requiresEnrichment: true, unfilled: { ...left, client: { url: page } } }),
  },
  event: eventOf('1', { properties: { ...properties, client: { url: page } } }),
});
type Tracked = ReturnType<typeof tracked>;
/** The same, of an event that the server has to fill: the server gets what is left of its placeholders. */
const unfilled = (properties: object, left: object) => tracked(properties, undefined, url, left);
const geo = (value: unknown) => tracked({ geo: value });
const about = (value: unknown, view?: { watson?: boolean }) => tracked({ about: value }, view);
/** g, w, b: need the place, the content, both; p: nothing; capitals: with data; with e: without. */
const values = {
  p: tracked({ plain: 1 }),
  g: geo('$ip_geo_info_continent'),
  G: geo('Europe'),
  n: unfilled({ geo: null }, { geo: '$ip_geo_info_continent' }),
  i: tracked({ geo: '$ip_address' }, {}),
  I: tracked({ geo: '192.0.2.1' }, {}),
  u: geo('$ip_address'),
  w: about('$alchemy_concepts'),
  W: about([{ text: 'copper', relevance: 1 }]),
  e: unfilled({ about: [] }, { about: '$alchemy_concepts' }),
  b: tracked({ geo: '$ip_geo_info_continent', about: '$alchemy_concepts' }),
  B: tracked({ geo: 'Europe', about: [{ text: 'copper', relevance: 1 }] }),
  h: unfilled({ geo: 'Europe', about: [] }, { geo: 'Europe', about: '$alchemy_concepts' }),
};
const bodies = {
  geoip: { geo_info: { continent: 'Europe' }, ip_address: '192.0.2.1' },
  watson: { concepts: [{ text: 'copper', relevance: 1 }] },
};

interface Setup {
  readonly geoip?: string;
  readonly watson?: string;
  readonly pageExit$?: Observable<unknown>;
  readonly pageShown$?: Observable<unknown>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly sendsAddress?: boolean;
  readonly pageviewFields?: Properties;
  /** Emits when the code for the requests has loaded. */
  readonly code$?: Observable<unknown>;
  readonly addressOf?: EnrichmentDeps['addressOf'];
}

/** An enrichment whose server answers after so long. */
const stage = (
  { cold }: Pick<RunHelpers, 'cold'>,
  {
    geoip = '--(a|)',
    watson = '----(a|)',
    pageExit$ = NEVER,
    pageShown$ = NEVER,
    config = {},
    sendsAddress = false,
    pageviewFields = {},
    code$ = of(undefined),
    addressOf = addressesOf(url),
  }: Setup = {},
) => {
  const requests: HttpRequest[] = [];
  const report = reportMock();
  const send = (request: HttpRequest): Observable<HttpAnswer> => {
    requests.push(request);
    const name = request.url.includes('geoip') ? 'geoip' : 'watson';
    return cold(name === 'geoip' ? geoip : watson, {
      a: { status: 200, body: JSON.stringify(bodies[name]) },
      x: { status: 500, body: '' },
    });
  };
  const setting = settingsOf(config);
  const local = memoryStorage();
  const enriched: Enrichment = enrichment({
    ...{ http: { send, beacon: () => true }, setting, json, local, report, stop$: NEVER },
    sessionId: () => 'session',
    addressOf,
    project: {},
    pageExit$,
    pageShown$,
    sendsAddress,
    pageviewFields,
    loadFilling$: code$.pipe(map(() => filling)),
  });
  /** Each view is opened before its Pageview is enriched, as a visit does. */
  const enrich = (onWait?: (waiting: Tracked) => void) => (event$: Observable<Tracked>) =>
    event$.pipe(
      tap(({ draft: { view }, event }) => {
        if (view) enriched.openView(event, view.watson);
      }),
      enriched.enrich<Tracked>(onWait),
    );
  return { ...enriched, enrich, local, requests, report };
};

describe('enrichment', () => {
  marble('holds an event until the data it needs is there, and no other', (helpers) => {
    const { hot, expectObservable } = helpers;
    const { enrich } = stage(helpers);
    const source$ = hot(' g--pw-p--b', values);
    const expected = '    --Gp--p-WB';
    expectObservable(source$.pipe(enrich())).toBe(expected, values);
  });

  marble('gives an event that begins to wait away at once, for the server to fill, without address', (helpers) => {
    const { hot, expectObservable, flush } = helpers;
    const { enrich } = stage(helpers, { sendsAddress: true });
    const waiting: unknown[] = [];
    const mixed = { a: '$ip_address', b: '$ip_geo_info_continent' };
    const source$ = hot(' gpium', { ...values, m: tracked(mixed) });
    expectObservable(source$.pipe(enrich((event) => waiting.push(event)))).toBe('-pGN(MI)', {
      ...values,
      N: geo(null),
      M: tracked({ a: null, b: 'Europe' }),
    });
    flush();
    const fillable = ({ draft, event }: typeof values.g) => ({
      draft: { ...draft, requiresEnrichment: true, unfilled: event.properties },
      event,
    });
    expect(waiting).toEqual([fillable(values.g), fillable(values.i), fillable(tracked({ ...mixed, a: null }))]);
  });

  marble('waits no longer than a request may take, though its code does not load', (helpers) => {
    const { hot, expectObservable } = helpers;
    const { enrich } = stage(helpers, { geoip: '-', config: { requestTimeout: 2000 }, code$: NEVER });
    expectObservable(hot('-g', values).pipe(enrich()), '^ 3s !').toBe('- 2000ms n', values);
  });

  marble('asks once per page for the place, and once per address for its content', (helpers) => {
    const { hot, flush, expectObservable } = helpers;
    const { enrich, requests } = stage(helpers);
    const source$ = hot(' b-----b--b', values);
    const expected = '    ----B-B--B';
    expectObservable(source$.pipe(enrich())).toBe(expected, values);
    flush();
    expect(requests.map(({ method, url: address, body }) => [method, address, body])).toEqual([
      ['GET', 'https://api.permutive.com/v2.0/geoip?include=geo&include=isp&include=ip_hash&k=key', undefined],
      ['POST', 'https://api.permutive.com/v2.0/watson?k=key', JSON.stringify({ url, classify: true })],
    ]);
  });

  marble('asks for the address only where a page does and the project allows it', (helpers) => {
    const { hot, flush, expectObservable } = helpers;
    const { enrich, requests } = stage(helpers, { sendsAddress: true });
    expectObservable(hot('i--i', values).pipe(enrich())).toBe('--II', values);
    flush();
    expect(requests.map(({ url: address }) => new URL(address).searchParams.getAll('include'))).toEqual([
      ['geo', 'isp', 'ip_hash', 'ip'],
    ]);
  });

  it.each([
    ['in a Pageview of a project that does not allow it', 'i', false],
    ['in another event, which may hold what a visitor has typed', 'u', true],
  ])('gives nobody the address %s', (_, event, sendsAddress) => {
    marbles((helpers) => {
      const { enrich, requests } = stage(helpers, { sendsAddress });
      helpers.expectObservable(helpers.hot(event, values).pipe(enrich())).toBe('n', {
        n: { ...values[event as 'i'], event: values.n.event },
      });
      helpers.flush();
      expect(requests).toEqual([]);
    })();
  });

  marble('gives an event that may not have the address none that another has asked for', (helpers) => {
    const { hot, expectObservable } = helpers;
    const { enrich } = stage(helpers, { sendsAddress: true, watson: '-', pageExit$: hot('-----x') });
    const both = tracked({ a: '$ip_address', b: '$alchemy_concepts' });
    expectObservable(hot('ib', { ...values, b: both }).pipe(enrich())).toBe('--I--b', {
      I: values.I,
      b: unfilled({ a: null, b: [] }, { a: null, b: '$alchemy_concepts' }),
    });
  });

  marble('asks nothing for events without placeholders', (helpers) => {
    const { hot, flush, expectObservable } = helpers;
    const { enrich, requests, known } = stage(helpers);
    expectObservable(hot('p-p', values).pipe(enrich())).toBe('p-p', values);
    flush();
    expect([requests, known()]).toEqual([[], {}]);
  });

  it.each([
    ['no answer', '#'],
    ['an error', '--(x|)'],
  ])('goes on with empty values, and reports, where the server gives %s', (_, geoip) => {
    marbles((helpers) => {
      const { hot, flush, expectObservable } = helpers;
      const { enrich, report } = stage(helpers, { geoip });
      expectObservable(hot('g', values).pipe(enrich())).toBe(geoip === '#' ? 'n' : '--n', values);
      flush();
      expect(report.mock.calls.map(([message]) => message)).toEqual(['Error fetching geoip']);
    })();
  });

  marble('waits no longer than a request may take', (helpers) => {
    const { hot, expectObservable } = helpers;
    const { enrich } = stage(helpers, { geoip: '-', watson: '-' });
    expectObservable(hot('g 99ms w', values).pipe(enrich())).toBe('5s n 99ms e', values);
  });

  marble('goes out with what there is when the page may go away', (helpers) => {
    const { hot, expectObservable } = helpers;
    const pageExit$ = hot('    ---l', { l: true });
    const { enrich } = stage(helpers, { pageExit$ });
    expectObservable(hot('  bw', values).pipe(enrich())).toBe('---(he)', values);
  });

  marble('holds nothing while the page exits, until it is shown again', (helpers) => {
    const { hot, expectObservable } = helpers;
    const pageExit$ = hot('  -l-----l', { l: true });
    const pageShown$ = hot(' ---s', { s: true });
    const { enrich } = stage(helpers, { pageExit$, pageShown$, geoip: '-', watson: '-' });
    expectObservable(hot('   --w-g----w', values).pipe(enrich())).toBe('--e----n-e', values);
  });

  marble('gives an event of a page that exits what is known, and what is known only', (helpers) => {
    const { hot, expectObservable } = helpers;
    const { enrich } = stage(helpers, { pageExit$: hot('---l', { l: true }) });
    expectObservable(hot('g---b', values).pipe(enrich())).toBe('--G-h', values);
  });

  it.each([
    ['the config says so', {}, { watson: { enabled: false } }, undefined],
    ['the view says so', { watson: false }, {}, undefined],
    ['the page has no address', {}, {}, ''],
  ])('does not classify where %s', (_, view, config, page) => {
    marbles((helpers) => {
      const { cold, flush, expectObservable } = helpers;
      const { enrich, requests } = stage(helpers, { config });
      const [w, e] = [tracked({ about: '$alchemy_concepts' }, view, page), tracked({ about: [] }, view, page)];
      expectObservable(cold('w', { w }).pipe(enrich())).toBe('e', { e });
      flush();
      expect(requests).toEqual([]);
    })();
  });

  marble('classifies a view that asks for it where the config says no, and not the next', (helpers) => {
    const { hot, flush, expectObservable } = helpers;
    const { enrich, requests } = stage(helpers, { config: { watson: { enabled: false } } });
    const wanted = {
      v: about('$alchemy_concepts', { watson: true }),
      V: about(values.W.event.properties['about'], { watson: true }),
      o: about('$alchemy_concepts', {}),
      O: about([], {}),
    };
    expectObservable(hot('v-----o', wanted).pipe(enrich())).toBe('----V-O', wanted);
    flush();
    expect(requests).toHaveLength(1);
  });

  marble('lets the server fill what it has not answered, and nothing else', (helpers) => {
    const { hot, flush, expectObservable } = helpers;
    const config = { watson: { enabled: false } };
    const { enrich } = stage(helpers, { geoip: '--(x|)', config });
    const both = { place: '$ip_geo_info', about: '$alchemy_concepts' };
    expectObservable(hot('ab', { a: tracked(both), b: tracked({ about: both.about }) }).pipe(enrich())).toBe('-ba', {
      a: unfilled({ place: null, about: [] }, { place: '$ip_geo_info', about: [] }),
      // The content was not asked for, because the page does not want it.
      b: tracked({ about: [] }),
    });
    flush();
  });

  it.each([
    ['where it got none', '--(x|)', ['geoip', 'watson', 'geoip', 'watson']],
    ['nowhere else', '--(a|)', ['geoip', 'watson', 'watson']],
  ])('asks in each view what it is about, and for the place again %s', (_, geoip, asked) => {
    marbles((helpers) => {
      const { enrich, requests } = stage(helpers, { geoip });
      const view = tracked({ geo: '$ip_geo_info_continent', about: '$alchemy_concepts' }, {});
      const event$ = helpers.hot('v 9ms v', { v: view });
      helpers
        .expectObservable(
          event$.pipe(
            enrich(),
            map(() => 'e'),
          ),
        )
        .toBe('----e 9ms e');
      helpers.flush();
      expect(requests.map(({ url: address }) => /geoip|watson/.exec(address)?.[0])).toEqual(asked);
    })();
  });

  marble(
    'knows what the page of the present view is about, and nothing once another one has been opened',
    (helpers) => {
      const { hot, schedule, expectObservable } = helpers;
      const other = 'https://site.example/b';
      let present = url;
      const { enrich, known, openView } = stage(helpers, { addressOf: (event) => addressesOf(present)(event) });
      expectObservable(
        hot('w', values).pipe(
          enrich(),
          map(() => 'e'),
        ),
      ).toBe('----e');
      schedule('10ms o', { o: () => openView(tracked({}, {}, (present = other)).event, undefined) });
      const seen: string[] = [];
      schedule('--l--l 6ms l', { l: () => seen.push(Object.keys(known()).join()) });
      helpers.flush();
      expect(seen).toEqual(['', 'watson', '']);
    },
  );

  marble('is idle when nothing waits', (helpers) => {
    const { hot, expectObservable } = helpers;
    const { enrich, idle$ } = stage(helpers);
    expectObservable(hot('-gw', values).pipe(enrich())).toBe('---G--W', values);
    expectObservable(idle$, '^').toBe('|');
    expectObservable(idle$, '--^').toBe('------|');
    expectObservable(idle$, '-------^').toBe('-------|');
  });

  marble('answers lookups of queries from the same requests, and emptily where there is none', (helpers) => {
    const { hot, flush, expectObservable } = helpers;
    const { enrich, filling$, requests } = stage(helpers, { watson: '-#' });
    const lookup: Filling['lookup'] = (...asked) => filling$.pipe(mergeMap((filling) => filling.lookup(...asked)));
    expectObservable(hot('g', values).pipe(enrich())).toBe('--G', values);
    expectObservable(lookup('geo', url)).toBe('--(g|)', { g: { geo: { continent: 'Europe' } } });
    // A page that goes must not hear of the failure, which may come of that.
    const late = `- ${lateMs}ms (c|)`;
    expectObservable(lookup('classification', url)).toBe(late, { c: { classification: {} } });
    flush();
    expect(requests).toHaveLength(2);
  });
});

describe('enrichment, of a Pageview whose fields queries read', () => {
  const pageviewFields = { geo_info: '$ip_geo_info', classifications: { concepts: '$alchemy_concepts' } };
  const { geo_info } = bodies.geoip;
  const classifications = { concepts: bodies.watson.concepts };
  const views = {
    p: values.p,
    v: tracked({ plain: 1 }, {}),
    V: tracked({ geo_info, classifications, plain: 1 }, {}),
    n: tracked({ geo_info: null, classifications: { concepts: [] }, plain: 1 }, {}, url, {
      ...pageviewFields,
      plain: 1,
    }),
    o: tracked({ geo_info: 'own', classifications: 'own' }, {}),
    u: tracked({ plain: 1 }, { watson: false }),
    U: tracked({ geo_info, plain: 1 }, { watson: false }),
    w: tracked({ about: '$alchemy_concepts' }, {}),
    W: tracked({ geo_info: null, classifications: { concepts: [] }, about: [] }, {}, url, {
      ...pageviewFields,
      about: '$alchemy_concepts',
    }),
  };

  marble('waits for them, and no other event does', (helpers) => {
    const { hot, expectObservable } = helpers;
    const { enrich, idle$ } = stage(helpers, { pageviewFields });
    expectObservable(hot('v-p', views).pipe(enrich())).toBe('--p-V', views);
    expectObservable(idle$, '-^').toBe('----|');
  });

  marble('waits for none that the page gives itself, and for no content that it does not want', (helpers) => {
    const { hot, expectObservable } = helpers;
    const { enrich } = stage(helpers, { pageviewFields });
    expectObservable(hot('o--u', views).pipe(enrich())).toBe('o----U', views);
  });

  marble('waits no longer than 1000 ms, and is then for the server to fill', (helpers) => {
    const { hot, expectObservable } = helpers;
    const { enrich } = stage(helpers, { pageviewFields, geoip: '-', watson: '-' });
    expectObservable(hot('v', views).pipe(enrich())).toBe('1s n', views);
  });

  marble('waits as long as any event where the page itself asks for data', (helpers) => {
    const { hot, expectObservable } = helpers;
    const { enrich } = stage(helpers, { pageviewFields, geoip: '-', watson: '-' });
    expectObservable(hot('w', views).pipe(enrich())).toBe('5s W', views);
  });

  marble('goes out at once where the page may go away, and where the code does not load', (helpers) => {
    const { hot, expectObservable } = helpers;
    const pageExit$ = hot('  -l', { l: true });
    const left = stage(helpers, { pageviewFields, geoip: '-', pageExit$ });
    expectObservable(hot('v', views).pipe(left.enrich())).toBe('-n', views);
    const bare = stage(helpers, { pageviewFields, code$: EMPTY });
    expectObservable(hot('v', views).pipe(bare.enrich())).toBe('b', {
      b: tracked({ geo_info: null, classifications: { concepts: null }, plain: 1 }, {}, url, {
        ...pageviewFields,
        plain: 1,
      }),
    });
  });
});
