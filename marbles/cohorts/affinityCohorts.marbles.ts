import { affinityCohorts } from '../../src/cohorts/affinityCohorts';
import { eventOf } from '../../test/support/events';
import { marble } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const pageviewOf = (url: string) => eventOf('Pageview', { properties: { client: { url } } });
const pageviews = { p: pageviewOf('https://www.site.example/a'), q: pageviewOf('https://www.site.example/b') };
const withStandard = { standardAudiences: {} };
const answered = { affinity_values: { 10000001: 0.5, 10000002: 0.49 } };
const produced = (...cohorts: string[]) => ({ type: 'produced', producer: 'affinity', cohorts });

describe('affinityCohorts', () => {
  marble(
    'gives the standard cohorts that the page fits, from the threshold on',
    ({ hot, expectObservable, ...helpers }) => {
      const { streams, deps } = serviceWorld(helpers, { project: withStandard, answers: { affinity: answered } });
      const output$ = affinityCohorts({ ...streams, pageview$: hot('p', pageviews) }, deps);
      expectObservable(output$).toBe('10ms p', {
        p: {
          ...produced('10000001'),
          reasons: {
            10000001: "Standard audience: the page's affinity is 0.5, needs 0.5.",
            10000002: "Standard audience: the page's affinity is 0.49, needs 0.5.",
          },
        },
      });
    },
  );

  marble('asks once for each address, and again for another', ({ hot, expectObservable, flush, ...helpers }) => {
    const { streams, deps, asked } = serviceWorld(helpers, { project: withStandard, answers: { affinity: answered } });
    const pageview$ = hot('p-p-q', pageviews);
    expectObservable(affinityCohorts({ ...streams, pageview$ }, deps)).toBe('14ms p', {
      p: expect.anything() as unknown,
    });
    flush();
    expect(asked.map(({ url }) => new URL(url).searchParams.get('url'))).toEqual([
      'https://www.site.example/a',
      'https://www.site.example/b',
    ]);
  });

  marble('reports a failed request, and gives no cohort', ({ hot, expectObservable, flush, ...helpers }) => {
    const { streams, deps } = serviceWorld(helpers, { project: withStandard, answers: {} });
    const output$ = affinityCohorts({ ...streams, pageview$: hot('p', pageviews) }, deps);
    expectObservable(output$).toBe('10ms n', { n: { ...produced(), reasons: {} } });
    flush();
    expect(deps.report.mock.calls[0]?.[0]).toBe(
      'Failed to fetch affinity cohorts: Failed ajax request. Status code was 500.',
    );
  });

  marble(
    'asks nothing for a project without standard cohorts, and takes away those of the last page',
    ({ hot, expectObservable, flush, ...helpers }) => {
      const { streams, deps, asked } = serviceWorld(helpers, { answers: {} });
      expectObservable(affinityCohorts({ ...streams, pageview$: hot('p', pageviews) }, deps)).toBe('(n|)', {
        n: { ...produced(), reasons: {} },
      });
      flush();
      expect(asked).toEqual([]);
    },
  );

  marble('takes numbers of cohorts alone', ({ hot, expectObservable, ...helpers }) => {
    const answers = { affinity: { affinity_values: { 10000001: 1, 'no number': 1, '': 1, ['9'.repeat(16)]: 1 } } };
    const { streams, deps } = serviceWorld(helpers, { project: withStandard, answers });
    const output$ = affinityCohorts({ ...streams, pageview$: hot('p', pageviews) }, deps);
    expectObservable(output$).toBe('10ms p', {
      p: {
        ...produced('10000001'),
        reasons: { 10000001: "Standard audience: the page's affinity is 1, needs 0.5." },
      },
    });
  });
});
