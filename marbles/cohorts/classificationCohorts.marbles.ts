import { filter, map, NEVER, type Observable, startWith } from 'rxjs';

import { classificationCohorts } from '../../src/cohorts/classificationCohorts';
import type { ServiceStreams } from '../../src/cohorts/service';
import type { Cohorts } from '../../src/model/cohorts';
import type { ServiceOutput } from '../../src/model/serviceOutput';
import { eventOf, visitorId } from '../../test/support/events';
import { marble, type MarbleHelpers } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const cohortsOf = (isRealtime: boolean, ...members: string[]): Cohorts => ({ members, activations: {}, isRealtime });
/** l: cohorts of the last page; r: of this page; s: of this page, for another user. */
const cohorts = { l: cohortsOf(false), r: { ...cohortsOf(true, '7', 'adv'), queried: ['7'] }, s: cohortsOf(true, '8') };
const pageviewOf = (view_id: string, url: string) =>
  eventOf('Pageview', { view_id, properties: { title: 'Title', client: { url } } });
const pageviews = {
  p: pageviewOf('view', 'https://www.site.example/a'),
  q: pageviewOf('another', 'https://www.site.example/b'),
};
/** n: nothing is given; a: what the answer gives. */
const given = { n: '', a: 'clm-a clm-b' };
const answers = { 'clm/v1/segment': { cohorts: ['clm-a', 'clm-b'] } };

const visitOf = (
  helpers: MarbleHelpers,
  streams: Partial<ServiceStreams>,
  facts: Parameters<typeof serviceWorld>[1] = { answers },
) => {
  const world = serviceWorld(helpers, facts);
  return { ...world, output$: classificationCohorts({ ...world.streams, ...streams }, world.deps) };
};
const codesOf = (output$: Observable<ServiceOutput>): Observable<string> =>
  output$.pipe(
    filter((output) => output.type === 'produced' && output.producer === 'classificationModels'),
    map((output) => (output.type === 'produced' ? output.cohorts.join(' ') : '')),
  );

describe('classificationCohorts', () => {
  marble('asks once this page has evaluated its cohorts, with the Pageview and the cohorts of queries', (helpers) => {
    const { output$, asked } = visitOf(helpers, {
      cohorts$: helpers.cold('l--r', cohorts),
      pageview$: helpers.cold('p', pageviews),
    });
    helpers.expectObservable(codesOf(output$)).toBe('--- 10ms a', given);
    helpers.flush();
    expect(asked.map(({ url, body }) => [new URL(url).pathname, JSON.parse(body ?? '') as unknown])).toEqual([
      [
        '/clm/v1/segment',
        {
          user_id: visitorId,
          url: 'https://www.site.example/a',
          page_properties: { title: 'Title' },
          cohorts: ['7'],
        },
      ],
    ]);
  });

  marble('waits for the Pageview', (helpers) => {
    const cohorts$ = helpers.cold('r', cohorts);
    const { output$ } = visitOf(helpers, { cohorts$, pageview$: helpers.hot('--p', pageviews) });
    helpers.expectObservable(codesOf(output$)).toBe('-- 10ms a', given);
  });

  marble('asks again for another view, and drops the answer for the one before', (helpers) => {
    const cohorts$ = helpers.cold('r', cohorts);
    const { output$, asked } = visitOf(helpers, { cohorts$, pageview$: helpers.hot('-p-p-q', pageviews) });
    helpers.expectObservable(codesOf(output$)).toBe('----- 10ms a', given);
    helpers.flush();
    expect(asked.map(({ body }) => (JSON.parse(body ?? '') as { url: string }).url)).toEqual([
      'https://www.site.example/a',
      'https://www.site.example/b',
    ]);
  });

  marble('asks anew for another user, once that user’s cohorts are known', (helpers) => {
    const { output$, asked } = visitOf(helpers, {
      cohorts$: helpers.hot('30ms s', cohorts).pipe(startWith(cohorts.r)),
      pageview$: helpers.cold('p', pageviews),
      adopted$: helpers.hot('20ms u', { u: 'another user' }),
    });
    helpers.expectObservable(codesOf(output$)).toBe('10ms a 29ms a', given);
    helpers.flush();
    expect(asked.map(({ body }) => JSON.parse(body ?? '') as unknown)).toMatchObject([
      { user_id: visitorId, cohorts: ['7'] },
      { user_id: 'another user', cohorts: ['8'] },
    ]);
  });

  marble('reports a failed request, which says nothing of any cohort', (helpers) => {
    const cohorts$ = helpers.cold('r', cohorts);
    const { output$, deps } = visitOf(helpers, { cohorts$, pageview$: helpers.cold('p', pageviews) }, { answers: {} });
    helpers.expectObservable(codesOf(output$)).toBe('');
    helpers.flush();
    expect(deps.report.mock.calls.map(([message]) => message)).toEqual([
      'Failed to fetch classification model cohorts',
    ]);
  });

  marble('asks nothing on a page without a Pageview', (helpers) => {
    const { output$, asked } = visitOf(helpers, { cohorts$: helpers.cold('r', cohorts), pageview$: NEVER });
    helpers.expectObservable(output$).toBe('');
    helpers.flush();
    expect(asked).toEqual([]);
  });

  marble('takes a thousand codes of a hundred characters at most', (helpers) => {
    const many = ['', 'x'.repeat(101), 'x'.repeat(100), ...Array.from({ length: 1000 }, (_, i) => `c${i}`)];
    const { output$ } = visitOf(
      helpers,
      { cohorts$: helpers.cold('r', cohorts), pageview$: helpers.cold('p', pageviews) },
      { answers: { 'clm/v1/segment': { cohorts: many } } },
    );
    helpers.expectObservable(codesOf(output$)).toBe('10ms m', { m: many.slice(2, 1002).join(' ') });
  });
});
