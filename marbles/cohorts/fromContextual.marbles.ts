import { NEVER, type Observable } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';

import { fromContextual } from '../../src/cohorts/fromContextual';
import { json } from '../../src/hardening/plainJson';
import type { Event } from '../../src/model/event';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';
import { addressesOf, eventOf } from '../../test/support/events';
import { reportMock } from '../../test/support/reports';
import { settingsOf } from '../../test/support/settings';
import { marble, marbles } from '../support/marbles';

const known = (code: string, requires_segmentation = false) => ({
  activations: { dfp_contextual: [code] },
  cohorts: [code],
  requires_segmentation,
});
const values = {
  s: known('state'),
  t: known('segment'),
  h: known('handed'),
  i: known('again'),
  n: { activations: {}, cohorts: [], requires_segmentation: false },
  /** Nothing yet of this page. */
  u: undefined,
};
const oddClassifications = JSON.stringify({
  activations: {},
  cohorts: [],
  contextual_data: { classifications: { keywords: [{ value: 7 }] } },
});
const [copper, tin] = ['https://www.site.example/copper', 'https://www.site.example/tin'];
const viewOf = (view_id: string, url: string) =>
  eventOf('Pageview', { view_id, properties: { article: { title: view_id }, client: { url } } });
/** Pageviews: p, q of one address in two views; r of another address. */
const views = { p: viewOf('first', copper), q: viewOf('second', copper), r: viewOf('third', tin) };
const { p: pageview } = views;
const urlsOf = (asked: readonly HttpRequest[]) => asked.map(({ url }) => new URL(url).searchParams.get('url'));
const addressOf = addressesOf(copper);
/** Pageviews that need no data, so that they are made and complete at once. */
const viewing = (event$: Observable<Event>) => ({ given$: NEVER, viewed$: event$, pageview$: event$, addressOf });
const unviewed = viewing(NEVER);

/** A server that answers after 10 ms, and what it was asked. */
const served = ({ cold }: RunHelpers, answers: Readonly<Record<string, unknown>>) => {
  const asked: HttpRequest[] = [];
  const send = (request: HttpRequest): Observable<HttpAnswer> => {
    asked.push(request);
    const name = /ctx\/v1\/(\w+)/.exec(request.url)?.[1] ?? '';
    return cold('10ms (a|)', {
      a: name in answers ? { status: 200, body: JSON.stringify(answers[name]) } : { status: 500, body: '' },
    });
  };
  const report = reportMock();
  const deps = {
    http: { send, beacon: () => true },
    setting: settingsOf(),
    json,
    project: {},
    report,
  };
  return { asked, report, deps };
};

describe('fromContextual', () => {
  marble('takes 100 codes for a platform, which stand in requests to ad servers', (helpers) => {
    const codes = Array.from({ length: 100_000 }, (_, i) => `${i}`);
    const state = { activations: { dfp_contextual: codes, other: ['x'.repeat(101), 'y'] }, cohorts: [] };
    const { deps } = served(helpers, { state });
    helpers.expectObservable(fromContextual(unviewed, deps)).toBe('10ms s', {
      s: { ...state, activations: { dfp_contextual: codes.slice(0, 100), other: ['y'] } },
    });
  });

  marble('asks what is known of the page’s address', (helpers) => {
    const { asked, deps } = served(helpers, { state: known('state') });
    helpers.expectObservable(fromContextual(unviewed, deps)).toBe('10ms s', values);
    helpers.flush();
    expect(asked).toMatchObject([
      {
        method: 'GET',
        url: `https://api.permutive.com/ctx/v1/state?url=${encodeURIComponent('https://www.site.example/copper')}&k=key`,
      },
    ]);
  });

  it.each([
    ['before the answer', '-p-', '10ms s 9ms t'],
    ['after it', '49ms p', '10ms s 48ms t'],
    ['never', '-', '10ms s'],
  ])('sends the page view where the server has to look: %s', (_, diagram, expected) => {
    marbles((helpers) => {
      const { asked, deps } = served(helpers, { state: known('state', true), segment: known('segment') });
      const event$ = helpers.hot(diagram, views);
      helpers.expectObservable(fromContextual(viewing(event$), deps)).toBe(expected, {
        ...values,
        s: known('state', true),
      });
      helpers.flush();
      if (diagram !== '-')
        expect(JSON.parse(asked[1]?.body ?? '')).toEqual({
          url: 'https://www.site.example/copper',
          page_properties: { article: pageview.properties['article'] },
        });
    })();
  });

  marble('knows nothing where the server does not answer, and says so', (helpers) => {
    const { report, deps } = served(helpers, {});
    helpers.expectObservable(fromContextual(viewing(helpers.hot('-p', views)), deps)).toBe('10ms n', values);
    helpers.flush();
    expect(report.mock.calls.map(([message]) => message)).toEqual(['Failed to GET contextual data']);
  });

  it.each([
    ['an error of the request', '10ms (a|)', { status: 404, body: '' }, '10ms n'],
    ['an error of its own', '10ms (a|)', { status: 503, body: '{}' }, '10ms n'],
    ['no JSON', '10ms (a|)', { status: 200, body: '<' }, '10ms n'],
    ['nothing', '10ms (a|)', { status: 200, body: '' }, '10ms n'],
    ['no lists of codes', '10ms (a|)', { status: 200, body: '{"activations":{"dfp":"a"},"cohorts":[]}' }, '10ms n'],
    ['no cohorts', '10ms (a|)', { status: 200, body: '{"activations":{}}' }, '10ms n'],
    ['classifications that are none', '10ms (a|)', { status: 200, body: oddClassifications }, '10ms n'],
    ['no answer in 5 s', '-', { status: 200, body: '' }, '5s n'],
  ])('knows nothing where the server gives %s', (_, after, answer, expected) => {
    marbles((helpers) => {
      const { report, deps } = served(helpers, {});
      const send = () => helpers.cold<HttpAnswer>(after, { a: answer });
      const contextual$ = fromContextual(unviewed, { ...deps, http: { ...deps.http, send } });
      helpers.expectObservable(contextual$, `^ ${expected.replace('n', '')}-!`).toBe(expected, values);
      helpers.flush();
      expect(report.mock.calls.map(([message]) => message)).toEqual(['Failed to GET contextual data']);
    })();
  });

  marble('takes the page’s own answer, and asks no longer', (helpers) => {
    const { deps } = served(helpers, { state: known('state') });
    helpers
      .expectObservable(fromContextual({ ...unviewed, given$: helpers.hot('-----h', values) }, deps))
      .toBe('-----h', values);
  });

  marble('refuses an answer of the page that is none, and goes on asking', (helpers) => {
    const { report, deps } = served(helpers, { state: known('state') });
    helpers
      .expectObservable(fromContextual({ ...unviewed, given$: helpers.hot('-----x', { x: { activations: 7 } }) }, deps))
      .toBe('10ms s', values);
    helpers.flush();
    expect(report.mock.calls.map(([message]) => message)).toEqual(['Addon contextual has invalid options']);
  });

  marble('asks nothing before anybody listens, and lets go', (helpers) => {
    const { asked, deps } = served(helpers, { state: known('state') });
    const contextual$ = fromContextual(unviewed, deps);
    expect(asked).toEqual([]);
    helpers.expectObservable(contextual$, '^----!').toBe('-');
  });

  it.each([
    ['another view of the address, whose codes stand until the answer', 'p 49ms q', '10ms s 49ms s', [copper, copper]],
    ['another address, of which nothing is known until the answer', 'p 49ms r', '10ms s 39ms u 9ms s', [copper, tin]],
    ['the address that the publisher names, once', 'r', 'u 9ms s', [tin]],
    ['each view once, however often its Pageview comes', 'p 49ms p', '10ms s', [copper]],
  ])('asks for %s', (_, diagram, expected, urls) => {
    marbles((helpers) => {
      const { asked, deps } = served(helpers, { state: known('state') });
      helpers.expectObservable(fromContextual(viewing(helpers.hot(diagram, views)), deps)).toBe(expected, values);
      helpers.flush();
      expect(urlsOf(asked)).toEqual(urls);
    })();
  });

  marble('drops the answer for a view that was left', (helpers) => {
    const { deps } = served(helpers, { state: known('state') });
    helpers.expectObservable(fromContextual(viewing(helpers.hot('p----r', views)), deps)).toBe('-----u 9ms s', values);
  });

  marble('asks at once for a view whose Pageview waits for data, and shows the server that Pageview', (helpers) => {
    const { asked, deps } = served(helpers, { state: known('state', true), segment: known('segment') });
    const viewed$ = helpers.hot('  p 49ms r', views);
    const pageview$ = helpers.hot('-p 69ms r', views);
    helpers
      .expectObservable(fromContextual({ given$: NEVER, viewed$, pageview$, addressOf }, deps))
      .toBe('10ms s 9ms t 29ms u 9ms s 20ms t', { ...values, s: known('state', true) });
    helpers.flush();
    expect(asked.flatMap(({ body }) => (body === undefined ? [] : [JSON.parse(body) as unknown]))).toEqual([
      { url: copper, page_properties: { article: { title: 'first' } } },
      { url: tin, page_properties: { article: { title: 'third' } } },
    ]);
  });

  it.each([
    ['for its view, and no longer', 'p-r', '-h', '-hu 9ms s', [tin]],
    ['for the first view, where it comes before', '--p', 'h', 'h', []],
    ['for the first view of whatever address, where it comes before', '--r', 'h', 'h', []],
    ['for its view, though its Pageview comes again', 'p-p', '-h', '-h', []],
    ['in place of the one before', 'p', '-hi', '-hi', []],
  ])('takes an answer of the page %s', (_, diagram, given, expected, urls) => {
    marbles((helpers) => {
      const { asked, deps } = served(helpers, { state: known('state') });
      const streams = { ...viewing(helpers.hot(diagram, views)), given$: helpers.hot(given, values) };
      helpers.expectObservable(fromContextual(streams, deps)).toBe(expected, values);
      helpers.flush();
      // Requests that the page's answer has cancelled do not count here.
      expect(urlsOf(asked).filter((url) => url !== copper)).toEqual(urls);
    })();
  });
});
