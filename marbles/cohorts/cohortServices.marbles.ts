import { filter, ignoreElements, map, type Observable, tap } from 'rxjs';

import { cohortServices } from '../../src/cohorts/cohortServices';
import type { ServiceStreams } from '../../src/cohorts/service';
import { lateMs } from '../../src/endpoints/lateFailures';
import type { Cohorts } from '../../src/model/cohorts';
import { NetworkError } from '../../src/model/errors';
import { readNote } from '../../src/model/notes';
import type { Produced, ServiceOutput } from '../../src/model/serviceOutput';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';
import { eventOf, noon } from '../../test/support/events';
import { linesOf } from '../../test/support/reports';
import { marble, type MarbleHelpers, marbles } from '../support/marbles';
import { type ServiceFacts, serviceWorld } from '../support/serviceWorld';

const cohortsOf = (isRealtime: boolean, produced?: Cohorts['produced']): Cohorts => ({
  members: [],
  activations: {},
  isRealtime,
  ...(produced && { produced }),
});
const pageview = eventOf('Pageview', {
  view_id: 'view',
  properties: { client: { url: 'https://www.site.example/a' } },
});
const answers = {
  affinity: { affinity_values: { 10000001: 1 } },
  'clm/v1/segment': { cohorts: ['clm-a'] },
  'adv/v4/segment': {
    c: { cohorts: [{ code: 'left', groups: [0] }], groups: { types: ['budget'], counts: [1] } },
    ctx: null,
  },
};
const standard = { standardAudiences: {}, amp: true };

/** `hang`: a part of addresses that are never answered. */
const servicesOf = (
  helpers: MarbleHelpers,
  streams: Partial<ServiceStreams>,
  { hang = 'none', ...facts }: Partial<ServiceFacts> & { readonly hang?: string } = {},
) => {
  const world = serviceWorld(helpers, { project: standard, answers, ...facts });
  const asked: string[] = [];
  const send = (request: HttpRequest): Observable<HttpAnswer> => {
    asked.push(`${world.deps.now() - noon} ${new URL(request.url).pathname}`);
    return request.url.includes(hang) ? helpers.cold('') : world.deps.http.send(request);
  };
  const deps = { ...world.deps, http: { ...world.deps.http, send } };
  return { ...world, asked, output$: cohortServices({ ...world.streams, ...streams }, deps) };
};
const producedBy = (output$: Observable<ServiceOutput>, producer: string): Observable<string> =>
  output$.pipe(
    filter((output): output is Produced => output.type === 'produced' && output.producer === producer),
    map(({ cohorts }) => cohorts.join(' ')),
  );
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
const isAboutPage = (request: string): boolean => !request.includes('amp');

describe('cohortServices', () => {
  it.each([
    ['no pause where the page goes in that moment', 0],
    ['no pause where the page goes before 3 s are over', lateMs - 1],
    ['one where it stays', lateMs + 1],
  ])(
    'after a request that ended: %s',
    marbles((helpers, _: string, goesAfterMs: number) => {
      const failedAt = 100;
      const goneAt = 10 + failedAt + goesAfterMs;
      const failing$ = helpers.cold(`${failedAt}ms #`, {}, new NetworkError('failed')) as Observable<never>;
      const { deps, streams } = serviceWorld(helpers, { project: standard, answers });
      const send = (request: HttpRequest): Observable<HttpAnswer> =>
        request.url.includes('adv/v4') ? failing$ : deps.http.send(request);
      const [cohorts$, pageview$] = [helpers.cold('r', { r: cohortsOf(true) }), helpers.cold('p', { p: pageview })];
      const output$ = cohortServices({ ...streams, cohorts$, pageview$ }, { ...deps, http: { ...deps.http, send } });
      helpers.expectObservable(output$.pipe(ignoreElements()), `^ ${goneAt - 1}ms !`).toBe('');
      helpers.flush();
      const stays = goesAfterMs > lateMs;
      // Advertisers are asked for once affinity has answered, after 10 ms.
      const pausedAt = noon + 10 + failedAt + lateMs;
      expect(readNote('requestPauses', deps)).toEqual({
        // The server of the service has failed, with a status, which is told at once.
        amp: noon + 10 + 600_000,
        ...(stays && { advertiser: pausedAt + 600_000 }),
      });
      expect(deps.report.mock.calls.some(([message]) => message === 'Failed to fetch advertiser cohorts')).toBe(stays);
    }),
  );

  marble('ask in order: advertisers once the page’s standard cohorts are known', (helpers) => {
    const { output$, asked } = servicesOf(helpers, {
      cohorts$: helpers.cold('r', { r: cohortsOf(true) }),
      pageview$: helpers.cold('p', { p: pageview }),
    });
    helpers.expectObservable(producedBy(output$, 'advertiser')).toBe('n 19ms a', { n: '', a: 'left' });
    helpers.flush();
    expect(asked.filter(isAboutPage)).toEqual([
      '0 /standard-audiences/v1/affinity',
      '0 /clm/v1/segment',
      '10 /adv/v4/segment',
    ]);
  });

  it.each([
    ['for the timeout of requests, where affinity does not answer', { hang: 'affinity' }, '5000'],
    ['not at all, where the project has no standard cohorts', { project: {} }, '0'],
  ])(
    'let advertisers wait %s',
    marbles((helpers, _, facts: Parameters<typeof servicesOf>[2], at: string) => {
      const { output$, asked } = servicesOf(
        helpers,
        {
          cohorts$: helpers.cold('r', { r: cohortsOf(true) }),
          pageview$: helpers.cold('p', { p: pageview }),
        },
        facts,
      );
      helpers.expectObservable(output$.pipe(filter(({ type }) => type === 'data'))).toBe('');
      helpers.flush();
      expect(asked).toContain(`${at} /adv/v4/segment`);
    }),
  );

  marble('let advertisers wait for the timeout on a page without a Pageview', (helpers) => {
    const { output$, asked } = servicesOf(helpers, { cohorts$: helpers.cold('r', { r: cohortsOf(true) }) });
    helpers.expectObservable(output$.pipe(filter(({ type }) => type === 'data'))).toBe('');
    helpers.flush();
    expect(asked.filter(isAboutPage)).toEqual(['5000 /adv/v4/segment']);
  });

  marble('ask nothing that reads cohorts before this page has evaluated them', (helpers) => {
    const { output$, asked } = servicesOf(helpers, {
      cohorts$: helpers.cold('l', { l: cohortsOf(false) }),
      pageview$: helpers.cold('p', { p: pageview }),
    });
    helpers.expectObservable(output$.pipe(filter(({ type }) => type === 'data'))).toBe('');
    helpers.flush();
    expect(asked).toEqual(['0 /standard-audiences/v1/affinity']);
  });

  marble('ask for no list of AMP cohorts where the definition does not say that there are any', (helpers) => {
    const { output$, asked } = servicesOf(
      helpers,
      { cohorts$: helpers.cold('r', { r: cohortsOf(true) }) },
      { project: { standardAudiences: {} } },
    );
    helpers.expectObservable(output$.pipe(filter(({ type }) => type === 'data'))).toBe('');
    helpers.flush();
    expect(asked.filter((request) => !isAboutPage(request))).toEqual([]);
  });

  it.each([
    ['affinity', { affinity_values: Object.fromEntries(numbers(1000).map((n) => [20_000_000 + n, 1])) }],
    ['classificationModels', { cohorts: numbers(1000).map(String) }],
    [
      'advertiser',
      {
        c: {
          cohorts: numbers(1000).map((n) => ({ code: String(n), groups: [0] })),
          groups: { types: ['budget'], counts: [1] },
        },
        ctx: null,
      },
    ],
  ])(
    'give 100 cohorts of an answer with 1,000, and report it: %s',
    marbles((helpers, producer: string, answer: object) => {
      const { output$, deps } = servicesOf(
        helpers,
        { cohorts$: helpers.cold('r', { r: cohortsOf(true) }), pageview$: helpers.cold('p', { p: pageview }) },
        { answers: { affinity: answer, 'clm/v1/segment': answer, 'adv/v4/segment': answer } },
      );
      const counts: number[] = [];
      const counted$ = producedBy(output$, producer).pipe(
        tap((codes) => counts.push(codes.split(' ').filter(Boolean).length)),
        ignoreElements(),
      );
      helpers.expectObservable(counted$).toBe('');
      helpers.flush();
      expect(counts.at(-1)).toBe(100);
      expect(linesOf(deps.report)).toContain(`A service has given too many cohorts: ${producer}: expected 100 at most`);
    }),
  );

  marble('say as of when a reason holds', (helpers) => {
    const { output$ } = servicesOf(helpers, { pageview$: helpers.cold('p', { p: pageview }) });
    const reasons$ = output$.pipe(
      filter((output): output is Produced => output.type === 'produced' && output.producer === 'affinity'),
      map(({ reasons }) => reasons),
    );
    helpers.expectObservable(reasons$).toBe('10ms w', {
      w: {
        10000001: `Standard audience: the page's affinity is 1, needs 0.5. As of ${new Date(noon + 10).toISOString()}.`,
      },
    });
  });

  marble('let stand what they gave on the last page, until they answer', (helpers) => {
    const cohorts$ = helpers.cold('l', { l: cohortsOf(false, { classificationModels: ['clm-old'] }) });
    const { output$ } = servicesOf(helpers, { cohorts$ });
    helpers.expectObservable(producedBy(output$, 'classificationModels')).toBe('l', { l: 'clm-old' });
  });

  marble('take away what the last page got from a service that is none any more', (helpers) => {
    const cohorts$ = helpers.cold('l', { l: cohortsOf(false, { formerly: ['x'] } as Cohorts['produced']) });
    const { output$ } = servicesOf(helpers, { cohorts$ });
    helpers.expectObservable(producedBy(output$, 'formerly')).toBe('n', { n: '' });
  });

  marble('take away what a user was given who was another before they began', (helpers) => {
    const produced = { classificationModels: ['clm-old'], affinity: ['10000001'] };
    const cohorts$ = helpers.cold('l', { l: cohortsOf(false, produced) });
    const { output$ } = servicesOf(helpers, { cohorts$, isAdopted: () => true });
    helpers.expectObservable(producedBy(output$, 'classificationModels')).toBe('n', { n: '' });
    // Affinity’s codes are of the page, and the page is one that the other user has read.
    helpers.expectObservable(producedBy(output$, 'affinity')).toBe('n', { n: '' });
  });

  marble('take away what was given when the user becomes another', (helpers) => {
    const { output$ } = servicesOf(helpers, {
      cohorts$: helpers.hot('r', { r: cohortsOf(true) }),
      pageview$: helpers.cold('p', { p: pageview }),
      adopted$: helpers.hot('30ms u', { u: 'another user' }),
    });
    helpers.expectObservable(producedBy(output$, 'classificationModels')).toBe('10ms a 19ms n', { n: '', a: 'clm-a' });
  });

  marble('go on where one of them throws', (helpers) => {
    const pageview$ = helpers.cold('p', { p: eventOf('Pageview', { properties: {} }) });
    const cohorts$ = helpers.cold('r', { r: cohortsOf(true) });
    const { output$, deps } = servicesOf(helpers, { cohorts$, pageview$ });
    helpers.expectObservable(producedBy(output$, 'advertiser')).toBe('n 9ms a', { n: '', a: 'left' });
    helpers.flush();
    expect(deps.report.mock.calls.map(([message]) => message)).toContain('Service affinity stopped');
  });
});
