import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';

import { importCohort, type ImportedCohort, type ImportOptions } from '../../project/importCohorts/importCohorts';
import type { Engine } from '../../src/engine/engine';
import type { EngineEvent } from '../../src/engine/engineEvent';
import type { Expr, Pred } from '../../src/engine/language/language';
import type { RuntimeInput } from '../../src/engine/runtimeInput';
import { dayMs } from '../../src/primitives/duration';
import { event, start, t0 } from '../engine/support/run';

const cohort = (query: unknown): unknown => ({ code: '1', name: 'A cohort', query });
const imported = (query: unknown, options?: ImportOptions): ImportedCohort => {
  const result = importCohort(cohort(query), options);
  if (isLeft(result)) throw result.left;
  return result.right;
};
const errorOf = (json: unknown): string => {
  const result = importCohort(json);
  return isLeft(result) ? result.left.message : 'no error';
};
const lastDays = (days: number): object => ({ the_last: { value: days, unit: 'days' } });
const viewed = (where: unknown, more: object = {}): object => ({
  event: 'Pageview',
  frequency: { greater_than_or_equal_to: 1 },
  where,
  ...more,
});
const property = (name: string, condition: unknown): object => ({ property: `properties.${name}`, condition });

describe('a cohort', () => {
  const query = { in_segment: 5 };

  it('goes by its code, and keeps name and tags', () => {
    const result = importCohort({
      id: '0e4c7b9a-5a52-4b9e-a0c4-7d1b5fb3a111',
      code: 1234,
      name: 'Readers',
      tags: ['sport'],
      description: 'x',
      state: 'live',
      query,
    });
    expect(result).toEqual({
      _tag: 'Right',
      right: { definition: { id: '1234', name: 'Readers', tags: ['sport'], q: { cohort: '5' } }, warnings: [] },
    });
  });

  it('goes by its id where it has no code', () => {
    const result = importCohort({ id: 'abc', code: null, tags: [], query });
    expect(result).toMatchObject({ right: { definition: { id: 'abc', tags: [] } } });
  });

  it.each([
    ['without any id', { query }, 'id: expected a text that is not empty'],
    ['without a query', { code: 1 }, 'query: expected an object'],
    ['with an unreadable tag', { code: 1, tags: ['a', 5], query }, 'tags/1: expected a text that is not empty'],
    ['that is no object', [], '(root): expected an object'],
  ])('%s is refused', (_what, json, message) => {
    expect(errorOf(json)).toBe(message);
  });
});

describe('a clause', () => {
  const engagement = { event: 'PageviewEngagement' };
  const inMarkets = property('article.section', { equal_to: 'markets' });
  const markets: Pred = { p: 'article.section', in: ['markets'] };

  it.each<[string, unknown, Expr]>([
    [
      'event',
      { event: 'Pageview', frequency: { greater_than_or_equal_to: 2 }, during: lastDays(30), where: inMarkets },
      { event: 'Pageview', is: { gte: 2 }, within: { days: 30 }, where: markets },
    ],
    ['event of any number', { event: 'LinkClick' }, { event: 'LinkClick' }],
    [
      'event of this session',
      { event: 'Pageview', frequency: { greater_than: 2 }, during: 'this_session' },
      { event: 'Pageview', is: { gt: 2 }, within: 'session' },
    ],
    ['event exactly', { event: 'Pageview', frequency: { equal_to: 2 } }, { event: 'Pageview', is: { eq: 2 } }],
    ['event less than', { event: 'Pageview', frequency: { less_than: 2 } }, { event: 'Pageview', is: { lt: 2 } }],
    [
      'event at most',
      { event: 'Pageview', frequency: { less_than_or_equal_to: 2 } },
      { event: 'Pageview', is: { lte: 2 } },
    ],
    [
      'minutes',
      { event: 'Pageview', during: { the_last: { value: 1, unit: 'minute' } } },
      { event: 'Pageview', within: { minutes: 1 } },
    ],
    [
      'hours',
      { event: 'Pageview', during: { the_last: { value: 30, unit: 'hours' } } },
      { event: 'Pageview', within: { hours: 30 } },
    ],
    [
      'weeks',
      { event: 'Pageview', during: { the_last: { value: 2, unit: 'weeks' } } },
      { event: 'Pageview', within: { weeks: 2 } },
    ],
    [
      'and, or',
      { and: [{ or: [{ in_segment: 1 }, { in_segment: '2' }] }, { in_segment: 3 }] },
      { and: [{ or: [{ cohort: '1' }, { cohort: '2' }] }, { cohort: '3' }] },
    ],
    ['not in segment', { not_in_segment: 1 }, { not: { cohort: '1' } }],
    [
      'engaged time',
      { engaged_time: { seconds: { greater_than: 120 }, where: inMarkets, during: lastDays(7) } },
      { ...engagement, sum: 'engaged_time', is: { gt: 120 }, within: { days: 7 }, where: markets },
    ],
    [
      'engaged time of this session',
      { engaged_time: { seconds: { greater_than: 120 }, during: 'this_session' } },
      { ...engagement, sum: 'engaged_time', is: { gt: 120 }, within: 'session' },
    ],
    [
      'completion',
      { engaged_completion: { completion: { greater_than_or_equal_to: 0.4 }, where: inMarkets } },
      { ...engagement, within: 'view', where: { and: [markets, { p: 'total_completion', gte: 0.4 }] } },
    ],
    [
      'engaged views',
      {
        engaged_views: {
          engaged_time: { greater_than_or_equal_to: 30 },
          times: { greater_than: 2 },
          where: inMarkets,
          during: lastDays(7),
        },
      },
      {
        ...engagement,
        distinct: '$view_id',
        is: { gt: 2 },
        within: { days: 7 },
        where: { and: [markets, { p: 'total_engaged_time', gte: 30 }] },
      },
    ],
    [
      'has entered',
      { has_entered: { segment: 5, during: lastDays(7) } },
      { entered: '5', is: { gte: 1 }, within: { days: 7 } },
    ],
    ['has not entered', { has_not_entered: { segment: '5' } }, { entered: '5', is: { eq: 0 } }],
    ['has exited', { has_exited: { segment: 5 } }, { exited: '5', is: { gte: 1 } }],
    [
      'has not exited',
      { has_not_exited: { segment: 5, during: lastDays(1) } },
      { exited: '5', is: { eq: 0 }, within: { days: 1 } },
    ],
    [
      'second party',
      { in_second_party_segment: { provider: 'p', segment: 's' } },
      { secondParty: { provider: 'p', in: ['s'] } },
    ],
    [
      'not second party',
      { not_in_second_party_segment: { provider: 'p', segment: 's' } },
      { not: { secondParty: { provider: 'p', in: ['s'] } } },
    ],
    [
      'third party',
      { in_third_party_segment: { provider: 'p', segment: 7 } },
      { thirdParty: { provider: 'p', in: ['7'] } },
    ],
    [
      'not third party',
      { not_in_third_party_segment: { provider: 'p', segment: 7 } },
      { not: { thirdParty: { provider: 'p', in: ['7'] } } },
    ],
  ])('%s', (_what, query, q) => {
    expect(imported(query)).toEqual({ definition: { id: '1', name: 'A cohort', q }, warnings: [] });
  });

  it('of months is read in days, with a warning', () => {
    expect(
      imported({ and: [{ event: 'Pageview', during: { the_last: { value: 2, unit: 'months' } } }] }),
    ).toMatchObject({
      definition: { q: { and: [{ event: 'Pageview', within: { days: 60 } }] } },
      warnings: ['query/and/0/during/the_last: a month is read as 30 days'],
    });
  });
});

describe('a property', () => {
  const wherePred = (where: unknown, options?: ImportOptions): Pred | undefined =>
    (imported(viewed(where), options).definition.q as { where?: Pred }).where;

  it.each<[string, unknown, Pred]>([
    ['equal_to', { equal_to: 'x' }, { p: 'a', in: ['x'] }],
    ['equal_to a number', { equal_to: 5 }, { p: 'a', in: [5] }],
    ['equal_to a boolean', { equal_to: true }, { p: 'a', is: true }],
    ['not_equal_to', { not_equal_to: 'x' }, { p: 'a', nin: ['x'] }],
    ['not_equal_to a boolean', { not_equal_to: true }, { p: 'a', is: false }],
    ['contains', { contains: ['x', 'y'] }, { p: 'a', contains: ['x', 'y'] }],
    ['contains one text', { contains: 'x' }, { p: 'a', contains: ['x'] }],
    [
      'does_not_contain',
      { does_not_contain: ['x'] },
      { and: [{ p: 'a', exists: true }, { not: { p: 'a', contains: ['x'] } }] },
    ],
    ['list_contains', { list_contains: ['x', 'y'] }, { p: 'a', in: ['x', 'y'] }],
    ['list_contains_integer', { list_contains_integer: [1, 2] }, { p: 'a', in: [1, 2] }],
    ['list_does_not_contain', { list_does_not_contain: ['x'] }, { p: 'a', nin: ['x'] }],
    ['greater_than', { greater_than: 1 }, { p: 'a', gt: 1 }],
    ['greater_than_or_equal_to', { greater_than_or_equal_to: 1 }, { p: 'a', gte: 1 }],
    ['less_than', { less_than: 1 }, { p: 'a', lt: 1 }],
    ['less_than_or_equal_to', { less_than_or_equal_to: 1 }, { p: 'a', lte: 1 }],
    ['between', { between: { start: 1, end: 2 } }, { p: 'a', between: [1, 2] }],
    ['float_between', { float_between: { start: 0.1, end: 0.2 } }, { p: 'a', between: [0.1, 0.2] }],
    ['float_between in a list', { float_between: [0.1, 0.2] }, { p: 'a', between: [0.1, 0.2] }],
    ['float_equal_to', { float_equal_to: 0.5 }, { p: 'a', between: [0.5, 0.5] }],
    ['boolean_equal_to', { boolean_equal_to: false }, { p: 'a', is: false }],
    ['is_empty', 'is_empty', { p: 'a', exists: false }],
    ['is_not_empty', 'is_not_empty', { p: 'a', exists: true }],
    ['is_empty: true', { is_empty: true }, { p: 'a', exists: false }],
    ['is_empty: false', { is_empty: false }, { p: 'a', exists: true }],
    ['is_not_empty: true', { is_not_empty: true }, { p: 'a', exists: true }],
    [
      'date_equal_to a day',
      { date_equal_to: '2024-02-29' },
      { p: 'a', after: '2024-02-29', before: '2024-03-01T00:00:00.000Z' },
    ],
    [
      'date_equal_to an instant',
      { date_equal_to: '2024-02-29T12:00:00Z' },
      { p: 'a', after: '2024-02-29T12:00:00Z', before: '2024-02-29T12:00:00.001Z' },
    ],
    [
      'date_between',
      { date_between: { start: '2024-01-01', end: '2024-02-01' } },
      { p: 'a', after: '2024-01-01', before: '2024-02-01' },
    ],
    ['any', { function: 'any', property: 'k', condition: { equal_to: 'x' } }, { p: 'a', any: { p: 'k', in: ['x'] } }],
    [
      'any where',
      {
        function: 'any',
        property: 'key',
        condition: { equal_to: 'x' },
        where: { property: 'value', condition: { list_contains: ['y'] } },
      },
      {
        p: 'a',
        any: {
          and: [
            { p: 'key', in: ['x'] },
            { p: 'value', in: ['y'] },
          ],
        },
      },
    ],
    [
      'any of what is there',
      { function: 'any', property: 'k', condition: 'is_not_empty' },
      { p: 'a', any: { p: 'k', exists: true } },
    ],
    ['all', { function: 'all', property: 'k', condition: { greater_than: 1 } }, { p: 'a', all: { p: 'k', gt: 1 } }],
    [
      'count at least',
      { function: 'count', property: 'k', condition: { greater_than_or_equal_to: 2 } },
      { p: 'a', any: { p: 'k', exists: true }, min: 2 },
    ],
    [
      'count more than',
      {
        function: 'count',
        property: 'k',
        condition: { greater_than: 2 },
        where: { property: 'v', condition: { equal_to: 1 } },
      },
      {
        p: 'a',
        any: {
          and: [
            { p: 'k', exists: true },
            { p: 'v', in: [1] },
          ],
        },
        min: 3,
      },
    ],
    [
      'count less than',
      { function: 'count', property: 'k', condition: { less_than: 2 } },
      { not: { p: 'a', any: { p: 'k', exists: true }, min: 2 } },
    ],
    [
      'count at most',
      { function: 'count', property: 'k', condition: { less_than_or_equal_to: 2 } },
      { not: { p: 'a', any: { p: 'k', exists: true }, min: 3 } },
    ],
    [
      'count none',
      { function: 'count', property: 'k', condition: { equal_to: 0 } },
      { not: { p: 'a', any: { p: 'k', exists: true }, min: 1 } },
    ],
    [
      'count between',
      { function: 'count', property: 'k', condition: { between: { start: 1, end: 2 } } },
      {
        and: [
          { p: 'a', any: { p: 'k', exists: true }, min: 1 },
          { not: { p: 'a', any: { p: 'k', exists: true }, min: 3 } },
        ],
      },
    ],
  ])('%s', (_what, condition, pred) => {
    expect(wherePred(property('a', condition))).toEqual(pred);
  });

  it('may be nested in and, or', () => {
    const where = {
      or: [{ and: [property('a', { equal_to: 1 }), property('b.c', { equal_to: 2 })] }, property('d', 'is_empty')],
    };
    expect(wherePred(where)).toEqual({
      or: [
        {
          and: [
            { p: 'a', in: [1] },
            { p: 'b.c', in: [2] },
          ],
        },
        { p: 'd', exists: false },
      ],
    });
  });

  it('may be one that the event itself has', () => {
    expect(wherePred({ property: 'view_id', condition: { equal_to: 'x' } })).toEqual({ p: '$view_id', in: ['x'] });
  });

  it('is compared with its case on demand', () => {
    const where = {
      and: [property('a', { equal_to: 'X' }), property('a', { not_equal_to: 'Y' }), property('a', { contains: ['Z'] })],
    };
    expect(wherePred(where, { exactCase: true })).toEqual({
      and: [
        { p: 'a', in: ['X'], fold: 'exact' },
        { p: 'a', nin: ['Y'], fold: 'exact' },
        { p: 'a', contains: ['Z'], fold: 'exact' },
      ],
    });
  });

  it('is read with a warning where the reading is not the only one', () => {
    const all = {
      function: 'all',
      property: 'k',
      condition: { equal_to: 1 },
      where: { property: 'v', condition: { equal_to: 2 } },
    };
    const { warnings } = imported(
      viewed({
        and: [property('a', { date_between: { start: '2024-01-01', end: '2024-02-01' } }), property('b', all)],
      }),
    );
    expect(warnings).toEqual([
      'query/where/and/0/condition/date_between: the end is read as exclusive',
      'query/where/and/1/condition/where: every element is asked to meet both the condition and where',
    ]);
  });
});

describe('what has no counterpart is an error at its place', () => {
  const list = (name: string): unknown =>
    property('a', { function: name, property: 'k', condition: { greater_than: 1 } });

  it.each<[string, unknown, string]>([
    ['sum', viewed(list('sum')), 'query/where/condition/function: sum over a list is not supported'],
    [
      'product',
      viewed({ or: [list('product')] }),
      'query/where/or/0/condition/function: product over a list is not supported',
    ],
    [
      'mean',
      { and: [{ or: [viewed(list('mean'))] }] },
      'query/and/0/or/0/where/condition/function: mean over a list is not supported',
    ],
    [
      'imports of connections',
      { or: [{ in_connections_import_segment: { provider: 'x' } }] },
      'query/or/0/in_connections_import_segment: not supported',
    ],
    [
      'no import of connections',
      { not_in_connections_import_segment: { provider: 'x' } },
      'query/not_in_connections_import_segment: not supported',
    ],
    [
      'a third party without a name',
      { in_third_party_segment: { segment: 1 } },
      'query/in_third_party_segment: a segment of no provider is not supported',
    ],
    ['an unknown clause', { and: [{ in_nothing: 1 }] }, 'query/and/0: expected one of and, or, event, '],
    ['a frequency of nothing', { frequency: { equal_to: 1 } }, 'query: expected one of '],
    ['two clauses in one', { in_segment: 1, has_entered: { segment: 1 } }, 'query/has_entered: not supported'],
    ['an unknown field', { event: 'Pageview', since: 'ever' }, 'query/since: not supported'],
    ['an empty and', { and: [] }, 'query/and: expected a list that is not empty'],
    [
      'an unknown comparison',
      { event: 'Pageview', frequency: { about: 3 } },
      'query/frequency/about: this comparison is not supported',
    ],
    [
      'two comparisons',
      { event: 'Pageview', frequency: { less_than: 3, greater_than: 1 } },
      'query/frequency: expected a comparison with one key',
    ],
    [
      'a frequency in text',
      { event: 'Pageview', frequency: { less_than: '3' } },
      'query/frequency/less_than: expected a number',
    ],
    ['all time between', { event: 'Pageview', during: { between: {} } }, 'query/during/between: not supported'],
    ['an unknown period', { event: 'Pageview', during: 'this_year' }, 'query/during: this_year is not supported here'],
    [
      'an unknown unit',
      { event: 'Pageview', during: { the_last: { value: 1, unit: 'years' } } },
      'query/during/the_last/unit: the unit years is not supported',
    ],
    [
      'half a day',
      { event: 'Pageview', during: { the_last: { value: 0.5, unit: 'days' } } },
      'query/during/the_last/value: expected an integer from 1',
    ],
    [
      'more than 400 days',
      { event: 'Pageview', during: { the_last: { value: 14, unit: 'months' } } },
      'query/during/the_last: longer than 400 days',
    ],
    [
      'entries of this session',
      { has_entered: { segment: 1, during: 'this_session' } },
      'query/has_entered/during: this_session is not supported here',
    ],
    [
      'engaged views of this session',
      { engaged_views: { engaged_time: { greater_than: 1 }, times: { greater_than: 1 }, during: 'this_session' } },
      'query/engaged_views/during: this_session is not supported here',
    ],
    [
      'views with little engagement',
      { engaged_views: { engaged_time: { less_than: 1 }, times: { greater_than: 1 } } },
      'query/engaged_views/engaged_time: views with little engagement are not supported',
    ],
    [
      'a window of completion',
      { engaged_completion: { completion: { greater_than: 0.4 }, during: lastDays(1) } },
      'query/engaged_completion/during: not supported',
    ],
    [
      'a property outside of properties',
      viewed({ property: 'user.age', condition: { equal_to: 1 } }),
      'query/where/property: not a property of the event',
    ],
    [
      'an unknown condition',
      viewed(property('a', { like: 'x' })),
      'query/where/condition/like: the condition like is not supported',
    ],
    [
      'a condition by the name of a method',
      viewed(property('a', { toString: 'x' })),
      'query/where/condition/toString: the condition toString is not supported',
    ],
    [
      'an unknown condition in text',
      viewed(property('a', 'is_odd')),
      'query/where/condition: the condition is_odd is not supported',
    ],
    [
      'a condition without a property',
      viewed({ condition: { equal_to: 1 } }),
      'query/where: expected and, or, or a property with a condition',
    ],
    [
      'a membership inside where',
      viewed({ in_segment: 1 }),
      'query/where: expected and, or, or a property with a condition',
    ],
    [
      'text to be greater than',
      viewed(property('a', { greater_than: 'x' })),
      'query/where/condition/greater_than: expected a number',
    ],
    [
      'a date that is none',
      viewed(property('a', { date_between: { start: 'x', end: '2024-01-01' } })),
      'query/where/condition/date_between/start: expected a date',
    ],
    [
      'half a range',
      viewed(property('a', { float_between: [1] })),
      'query/where/condition/float_between: expected a start and an end',
    ],
    [
      'a yes that is none',
      viewed(property('a', { boolean_equal_to: 'yes' })),
      'query/where/condition/boolean_equal_to: expected true or false',
    ],
    [
      'an emptiness that is none',
      viewed(property('a', { is_empty: 'yes' })),
      'query/where/condition/is_empty: expected true or false',
    ],
    [
      'a count that always holds',
      viewed(property('a', { function: 'count', property: 'k', condition: { greater_than_or_equal_to: 0 } })),
      'query/where/condition/condition: is always met',
    ],
    [
      'a count that never holds',
      viewed(property('a', { function: 'count', property: 'k', condition: { less_than: 0 } })),
      'query/where/condition/condition: is never met',
    ],
    [
      'a count of another kind',
      viewed(property('a', { function: 'count', property: 'k', condition: { equal: 0 } })),
      'query/where/condition/condition/equal: the condition equal is not supported',
    ],
  ])('%s', (_what, query, message) => {
    expect(errorOf(cohort(query)).slice(0, message.length)).toBe(message);
  });

  it('also where the language has a limit of its own', () => {
    expect(errorOf(cohort({ or: Array.from({ length: 501 }, () => ({ in_segment: 1 })) }))).toBe(
      'query: not within the limits of the language (q/or: expected a list of 1 to 500)',
    );
  });
});

describe('an imported cohort in the engine', () => {
  const engineOf = (query: unknown, changes: Partial<RuntimeInput> = {}): Engine =>
    start([imported(query).definition, { id: '5', q: { event: 'Enter5', within: 'view' } }], changes);
  const isMember = (engine: Engine): boolean => engine.members().includes('1');
  const after = (query: unknown, events: readonly EngineEvent[], changes?: Partial<RuntimeInput>): boolean => {
    const engine = engineOf(query, changes);
    for (const happened of events) expect(engine.process([happened], happened.time).errors).toEqual([]);
    return isMember(engine);
  };
  const page = (properties: EngineEvent['properties'], day = 0): EngineEvent =>
    event('Pageview', t0 + day * dayMs, properties);
  const engaged = (properties: EngineEvent['properties'], view = 'v1'): EngineEvent =>
    event('PageviewEngagement', t0, properties, { view_id: view });
  const football = property('client.url', { contains: ['football'] });

  it('counts events of a kind in a window', () => {
    const query = {
      event: 'Pageview',
      frequency: { greater_than_or_equal_to: 2 },
      where: football,
      during: lastDays(30),
    };
    const url = { client: { url: 'https://paper.example/Football/1' } };
    expect(after(query, [page(url), page({ client: { url: 'https://paper.example/golf' } })])).toBe(false);
    expect(after(query, [page(url), page(url, 1)])).toBe(true);
    expect(after(query, [page(url), page(url, 31)])).toBe(false);
  });

  it('holds fewer than so many events from the start', () => {
    const query = { event: 'Pageview', frequency: { less_than: 2 } };
    expect(after(query, [])).toBe(true);
    expect(after(query, [page({}), page({})])).toBe(false);
  });

  it('takes the events of this session', () => {
    const query = { event: 'Pageview', frequency: { equal_to: 1 }, during: 'this_session' };
    expect(after(query, [page({})])).toBe(true);
    expect(after(query, [{ ...page({}), session_id: 's0' }])).toBe(false);
    expect(after(query, [page({}), page({})])).toBe(false);
  });

  it('tells a missing value from a different one', () => {
    const different = viewed(property('article.section', { not_equal_to: 'sport' }));
    const without = viewed(property('article.section', { does_not_contain: ['port'] }));
    const empty = viewed(property('article.section', 'is_empty'));
    for (const [section, expected] of [
      ['sport', [false, false, false]],
      ['art', [true, true, false]],
      [undefined, [false, false, true]],
    ] as const)
      expect([different, without, empty].map((query) => after(query, [page({ article: { section } })]))).toEqual(
        expected,
      );
  });

  it('compares numbers, lists, flags and dates', () => {
    const all = [
      { and: [property('n', { greater_than: 1 }), property('n', { between: { start: 1, end: 2 } })] },
      property('tags', { list_contains: ['A', 'z'] }),
      property('ids', { list_contains_integer: [7] }),
      property('flag', { boolean_equal_to: true }),
      property('on', { date_equal_to: '2024-02-29' }),
      property('score', { float_equal_to: 0.5 }),
    ];
    const meets = (properties: EngineEvent['properties']): boolean[] =>
      all.map((where) => after(viewed(where), [page(properties)]));
    expect(meets({ n: 2, tags: ['a', 'b'], ids: [7, 8], flag: true, on: '2024-02-29T23:00:00Z', score: 0.5 })).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(meets({ n: 1, tags: ['b'], ids: [8], flag: false, on: '2024-03-01T00:00:00Z', score: 0.51 })).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('looks into the elements of a list', () => {
    const sport = { property: 'value', condition: { list_contains: ['sport'] } };
    const pairs = (...keys: readonly (readonly [string, string[]])[]): EngineEvent =>
      page({ slot: { targeting_keys: keys.map(([key, value]) => ({ key, value })) } });
    const any = viewed(
      property('slot.targeting_keys', {
        function: 'any',
        property: 'key',
        condition: { equal_to: 'section' },
        where: sport,
      }),
    );
    expect(after(any, [pairs(['section', ['news', 'sport']])])).toBe(true);
    expect(after(any, [pairs(['section', ['news']], ['tag', ['sport']])])).toBe(false);
    const count = (condition: object): object =>
      viewed(property('slot.targeting_keys', { function: 'count', property: 'key', condition, where: sport }));
    const two = pairs(['a', ['sport']], ['b', ['sport']], ['c', []]);
    expect(
      [{ equal_to: 2 }, { less_than: 2 }, { greater_than: 1 }, { between: { start: 0, end: 1 } }].map((condition) =>
        after(count(condition), [two]),
      ),
    ).toEqual([true, false, true, false]);
    expect(
      [{ equal_to: 0 }, { less_than: 2 }, { greater_than: 1 }].map((condition) => after(count(condition), [page({})])),
    ).toEqual([true, true, false]);
  });

  it('adds up engaged time', () => {
    const query = { engaged_time: { seconds: { greater_than: 20 }, where: football } };
    const url = { client: { url: 'https://paper.example/football' } };
    expect(
      after(query, [
        engaged({ ...url, engaged_time: 10 }),
        engaged({ ...url, engaged_time: 10 }),
        engaged({ engaged_time: 30 }),
      ]),
    ).toBe(false);
    expect(after(query, [engaged({ ...url, engaged_time: 10 }), engaged({ ...url, engaged_time: 10.5 })])).toBe(true);
  });

  it('knows how far this page was read', () => {
    const steps = [0.2, 0.4, 0.6].map((total_completion) => engaged({ total_completion }));
    const history = (completion: object): boolean[] =>
      [0, 1, 2, 3].map((count) => after({ engaged_completion: { completion } }, steps.slice(0, count)));
    expect(history({ greater_than_or_equal_to: 0.4 })).toEqual([false, false, true, true]);
    expect(history({ greater_than: 0.4 })).toEqual([false, false, false, true]);
    expect(history({ less_than: 0.4 })).toEqual([false, true, false, false]);
    expect(history({ less_than_or_equal_to: 0.4 })).toEqual([false, true, true, false]);
    expect(history({ equal_to: 0.4 })).toEqual([false, false, true, false]);
    const engine = engineOf({ engaged_completion: { completion: { greater_than: 0.4 } } });
    for (const step of steps) engine.process([step], t0);
    expect(isMember(engine)).toBe(true);
    engine.updateContext({ session: { id: 's1', startedAt: t0 }, view: { id: 'v2', startedAt: t0 + 1 } });
    expect(isMember(engine)).toBe(false);
  });

  it('counts views with enough engagement, each once', () => {
    const query = {
      engaged_views: { engaged_time: { greater_than_or_equal_to: 30 }, times: { greater_than_or_equal_to: 2 } },
    };
    const total = (seconds: number, view: string): EngineEvent => engaged({ total_engaged_time: seconds }, view);
    expect(after(query, [total(30, 'a'), total(60, 'a'), total(20, 'b')])).toBe(false);
    expect(after(query, [total(30, 'a'), total(20, 'b'), total(40, 'b')])).toBe(true);
  });

  it('follows other cohorts in and out', () => {
    const enter = event('Enter5', t0);
    const histories: readonly (readonly [object, readonly boolean[]])[] = [
      [{ in_segment: 5 }, [false, true, false]],
      [{ not_in_segment: 5 }, [true, false, true]],
      [{ has_entered: { segment: 5 } }, [false, true, true]],
      [{ has_not_entered: { segment: 5 } }, [true, false, false]],
      [{ has_exited: { segment: 5 } }, [false, false, true]],
      [{ has_not_exited: { segment: 5 } }, [true, true, false]],
    ];
    for (const [query, expected] of histories) {
      const engine = engineOf(query);
      const seen = [isMember(engine)];
      engine.process([enter], t0);
      seen.push(isMember(engine));
      engine.updateContext({ session: { id: 's1', startedAt: t0 }, view: { id: 'v2', startedAt: t0 + 1 } });
      expect([...seen, isMember(engine)]).toEqual(expected);
    }
  });

  it('asks partners', () => {
    const lookups = { thirdParty: { acme: ['7'] }, secondParty: { shop: ['s'] } };
    const has = (query: object): boolean => after(query, [], { lookups });
    expect(
      has({
        and: [
          { in_third_party_segment: { provider: 'acme', segment: 7 } },
          { in_second_party_segment: { provider: 'shop', segment: 's' } },
        ],
      }),
    ).toBe(true);
    expect(
      has({
        or: [
          { not_in_third_party_segment: { provider: 'acme', segment: '7' } },
          { in_second_party_segment: { provider: 'acme', segment: 's' } },
        ],
      }),
    ).toBe(false);
  });

  it('joins clauses', () => {
    const query = { and: [{ or: [{ event: 'A' }, { event: 'B' }] }, { event: 'C' }] };
    expect(after(query, [event('A', t0)])).toBe(false);
    expect(after(query, [event('C', t0)])).toBe(false);
    expect(after(query, [event('B', t0), event('C', t0)])).toBe(true);
  });
});

describe('the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cohorts-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (
    content: string,
    ...flags: readonly string[]
  ): { readonly status: number | null; readonly stdout: string; readonly stderr: string } => {
    const file = join(folder, 'cohorts.json');
    writeFileSync(file, content);
    return spawnSync(process.execPath, ['--import', 'tsx', 'command/main.ts', 'import', file, ...flags], {
      encoding: 'utf8',
    });
  };

  it('writes what can be translated and tells the rest', () => {
    const good = { code: 1, query: { event: 'Pageview', during: { the_last: { value: 1, unit: 'month' } } } };
    const { status, stdout, stderr } = run(
      JSON.stringify([good, { code: 2, query: { mean: 1 } }, { code: 3, query: { in_segment: 1 } }]),
    );
    expect(JSON.parse(stdout)).toEqual([
      { id: '1', q: { event: 'Pageview', within: { days: 30 } } },
      { id: '3', q: { cohort: '1' } },
    ]);
    expect(stderr.split('\n')).toEqual([
      'warning 0/query/during/the_last: a month is read as 30 days',
      expect.stringMatching(/^error 1\/query: expected one of /),
      '',
    ]);
    expect(status).toBe(1);
  });

  it('takes one cohort, also with its case', () => {
    const { status, stdout } = run(
      JSON.stringify({ code: 1, query: viewed(property('a', { equal_to: 'X' })) }),
      '--exact-case',
    );
    expect(JSON.parse(stdout)).toEqual([
      { id: '1', q: { event: 'Pageview', is: { gte: 1 }, where: { p: 'a', in: ['X'], fold: 'exact' } } },
    ]);
    expect(status).toBe(0);
  });

  it('tells what it cannot read, and how it is used', () => {
    expect(run('{').status).toBe(1);
    const { status, stderr } = run('{}', '--fast');
    expect(status).toBe(2);
    expect(stderr).toContain('usage: ');
  });
});
