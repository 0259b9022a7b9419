import { NEVER, type Observable } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';

import { fromContextual } from '../../src/cohorts/fromContextual';
import { json } from '../../src/model/plainJson';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';
import { eventOf } from '../../test/support/events';
import { reportMock } from '../../test/support/reports';
import { settingsOf } from '../../test/support/settings';
import { marble, marbles } from '../support/marbles';

const known = (code: string, requires_segmentation = false) => ({
  activations: { dfp_contextual: [code] },
  cohorts: [code],
  requires_segmentation,
});
const values = {
  s: { dfp_contextual: ['state'] },
  t: { dfp_contextual: ['segment'] },
  h: { dfp_contextual: ['handed'] },
  n: {},
};
const pageview = eventOf('Pageview', { properties: { article: { title: 'Copper' } } });

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
    page: { url: () => 'https://www.site.example/copper/' },
    report,
  };
  return { asked, report, deps };
};

describe('fromContextual', () => {
  marble('asks what is known of the page’s address', (helpers) => {
    const { asked, deps } = served(helpers, { state: known('state') });
    helpers.expectObservable(fromContextual(NEVER, NEVER, deps)).toBe('10ms s', values);
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
  ])('sends the page view where the server has to look: %s', (_, views, expected) => {
    marbles((helpers) => {
      const { asked, deps } = served(helpers, { state: known('state', true), segment: known('segment') });
      const event$ = helpers.hot(views, { p: pageview });
      helpers.expectObservable(fromContextual(NEVER, event$, deps)).toBe(expected, values);
      helpers.flush();
      if (views !== '-')
        expect(JSON.parse(asked[1]?.body ?? '')).toEqual({
          url: 'https://www.site.example/copper',
          page_properties: { article: { title: 'Copper' } },
        });
    })();
  });

  marble('knows nothing where the server does not answer, and says so', (helpers) => {
    const { report, deps } = served(helpers, {});
    helpers.expectObservable(fromContextual(NEVER, helpers.hot('-p', { p: pageview }), deps)).toBe('10ms n', values);
    helpers.flush();
    expect(report.mock.calls.map(([message]) => message)).toEqual(['Failed to GET contextual data']);
  });

  marble('takes the page’s own answer, and asks no longer', (helpers) => {
    const { deps } = served(helpers, { state: known('state') });
    helpers
      .expectObservable(fromContextual(helpers.hot('-----h', { h: known('handed') }), NEVER, deps))
      .toBe('-----h', values);
  });

  marble('refuses an answer of the page that is none, and goes on asking', (helpers) => {
    const { report, deps } = served(helpers, { state: known('state') });
    helpers
      .expectObservable(fromContextual(helpers.hot('-----x', { x: { activations: 7 } }), NEVER, deps))
      .toBe('10ms s', values);
    helpers.flush();
    expect(report.mock.calls.map(([message]) => message)).toEqual(['Addon contextual has invalid options']);
  });

  marble('asks nothing before anybody listens, and lets go', (helpers) => {
    const { asked, deps } = served(helpers, { state: known('state') });
    const contextual$ = fromContextual(NEVER, NEVER, deps);
    expect(asked).toEqual([]);
    helpers.expectObservable(contextual$, '^----!').toBe('-');
  });
});
