import { ampListMs, ampMembership } from '../../src/cohorts/ampMembership';
import { sendQuietMs } from '../../src/cohorts/sendChanges';
import type { Cohorts } from '../../src/model/cohorts';
import { readNote, writeNote } from '../../src/model/notes';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';
import { pauseMs } from '../../src/primitives/duration';
import { noon, visitorId } from '../../test/support/events';
import { marble, type MarbleHelpers, marbles } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const cohortsOf = (isRealtime: boolean, ...members: string[]): Cohorts => ({ members, activations: {}, isRealtime });
/** l: cohorts of the last page; a: one of AMP; b: two; o: with one that is none. */
const cohorts = {
  l: cohortsOf(false, '7'),
  a: cohortsOf(true, '7'),
  b: cohortsOf(true, '7', '8'),
  o: cohortsOf(true, '7', '9'),
};
const answers = { '-amp.json': { query: { cohorts: [7, 8] } }, 'amp/cohorts': {} };

const ampOf = (
  helpers: MarbleHelpers,
  cohort: string,
  { answered = answers, stored }: { readonly answered?: Record<string, unknown>; readonly stored?: unknown } = {},
) => {
  const world = serviceWorld(helpers, { project: { amp: true }, answers: answered });
  if (stored !== undefined) writeNote('ampQuery', stored, world.deps);
  helpers
    .expectObservable(ampMembership({ ...world.streams, cohorts$: helpers.cold(cohort, cohorts) }, world.deps))
    .toBe('');
  helpers.flush();
  return { ...world, asked: world.asked.map(shown) };
};
const shown = ({ url, body }: HttpRequest): string => {
  const { pathname, search } = new URL(url);
  return body === undefined ? pathname.replace(/.*(?=-amp)/, '') : `${pathname}${search} ${body}`;
};
const listAsked = '-amp.json';
const sentOf = (...codes: string[]): string =>
  `/alpha/amp/cohorts?i=${visitorId}&k=key ${JSON.stringify({ cohorts: codes })}`;

describe('ampMembership', () => {
  marble('asks for the list once this page has evaluated its cohorts, and sends those on it after 5 s', (helpers) => {
    // The change comes a moment before the codes would have been sent.
    const { asked, deps } = ampOf(helpers, `l-a ${sendQuietMs - 2}ms b`);
    expect(asked).toEqual([listAsked, sentOf('7', '8')]);
    expect(readNote('amp_ready', deps)).toBe(true);
  });

  marble('asks nothing before', (helpers) => {
    expect(ampOf(helpers, 'l').asked).toEqual([]);
  });

  marble('sends again when they change, not when others do', (helpers) => {
    expect(ampOf(helpers, 'a 10s o 10s b').asked).toEqual([listAsked, sentOf('7'), sentOf('7', '8')]);
  });

  it.each([
    ['is used for a day', noon - ampListMs + 1, [sentOf('7')]],
    ['is asked for again after it', noon - ampListMs, [listAsked, sentOf('7')]],
    ['of another clock is none', noon + 1, [listAsked, sentOf('7')]],
  ])(
    'the stored list %s',
    marbles((helpers, _, time: number, expected: readonly string[]) => {
      expect(ampOf(helpers, 'a', { stored: { time, cohorts: ['7'] } }).asked).toEqual(expected);
    }),
  );

  marble('sends nothing, and is never ready, where the list is empty or has another shape', (helpers) => {
    const { asked, deps } = ampOf(helpers, 'a', { answered: { ...answers, '-amp.json': { query: { cohorts: {} } } } });
    expect(asked).toEqual([listAsked]);
    expect(readNote('amp_ready', deps)).toBeNull();
  });

  marble('takes a member off that the list names no longer', (helpers) => {
    const { streams, deps, asked } = serviceWorld(helpers, {
      project: { amp: true },
      answers: { ...answers, '-amp.json': { query: {} } },
    });
    writeNote('ampSent', [visitorId, '7'], deps);
    helpers.expectObservable(ampMembership({ ...streams, cohorts$: helpers.cold('a', cohorts) }, deps)).toBe('');
    helpers.flush();
    expect(asked.map(shown)).toEqual([listAsked, sentOf()]);
  });

  marble('asks for the list again ten minutes after a failure', (helpers) => {
    const { streams, deps, asked } = serviceWorld(helpers, { project: { amp: true }, answers: {} });
    // Pages that come one after the other: the failure comes after 10 ms.
    const pages = ['0ms', `${pauseMs + 9}ms`, `${pauseMs + 10}ms`].map((wait) =>
      ampMembership({ ...streams, cohorts$: helpers.cold(`${wait} a`, cohorts) }, deps),
    );
    pages.forEach((page$) => helpers.expectObservable(page$).toBe(''));
    helpers.flush();
    expect(asked.map(shown)).toEqual([listAsked, listAsked]);
    expect(deps.report.mock.calls.map(([message]) => message)).toEqual([
      'Failed to fetch AMP query',
      'Failed to fetch AMP query',
    ]);
  });

  marble('takes a CDN that has no list for one that is empty, for a day', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { project: { amp: true }, answers: {} });
    const send = () => helpers.cold<HttpAnswer>('10ms (a|)', { a: { status: 404, body: '' } });
    const cohorts$ = helpers.cold('a', cohorts);
    helpers
      .expectObservable(ampMembership({ ...streams, cohorts$ }, { ...deps, http: { ...deps.http, send } }))
      .toBe('');
    helpers.flush();
    expect(readNote('ampQuery', deps)).toEqual({ time: noon + 10, cohorts: [] });
  });

  marble('reports cohorts that could not be sent', (helpers) => {
    const { deps } = ampOf(helpers, 'a', { answered: { '-amp.json': { query: { cohorts: [7] } } } });
    expect(deps.report.mock.calls.map(([message]) => message)).toEqual(['Failed to send AMP cohorts']);
    expect(readNote('amp_ready', deps)).toBeNull();
  });
});
