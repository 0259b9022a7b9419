import type { Explanation } from '../../src/engine/engine';
import { init, type RuntimeInput } from '../../src/engine/engine';
import type { Definition } from '../../src/engine/language/language';
import type { LookalikeModel } from '../../src/engine/models/lookalike';
import { explainWords } from '../../src/engineHost/explainWords';
import { noon } from '../support/events';
import { contextOf } from '../support/hostDeps';

const model: LookalikeModel = {
  version: 1,
  id: 'm',
  data_preference: '1p',
  precision: 1,
  min: 0,
  max: 1,
  weights: new Map([['const', '0']]),
};
const lookups = { geo: { country: 'FR' }, thirdParty: { acme: ['1'] }, lookalike: [model] };

/** The words for a query, after so many page views at noon. */
const wordsOf = (
  q: Definition['q'],
  { sub = [], views = 0, input = {} }: { sub?: Definition['sub']; views?: number; input?: Partial<RuntimeInput> } = {},
): string => {
  const queries: readonly Definition[] = [
    { id: '7', q, ...(sub.length > 0 && { sub }) },
    { id: '8', q: { event: 'Pageview' } },
  ];
  const engine = init({
    event_source_id: 'source',
    now: noon,
    bundle: { v: 1, id: 'b', seed: 0, queries },
    state: null,
    context: contextOf(),
    lookups,
    pending: [],
    ...input,
  });
  engine.bootstrap();
  engine.replay([]);
  const view = {
    name: 'Pageview',
    time: noon,
    properties: { logged_in: true, seconds: 2.5, id: 'a' },
    session_id: 'session',
    view_id: 'view',
  };
  for (let i = 0; i < views; i += 1) engine.process([view], noon);
  return explainWords(engine.explain('7')!);
};
/** The line of the one clause. */
const clauseOf = (...args: Parameters<typeof wordsOf>): string => wordsOf(...args).split('\n')[1]!;
const flipOf = (...args: Parameters<typeof wordsOf>): string =>
  wordsOf(...args)
    .split('\n')
    .at(-1)!;

const [never, always] = [{ event: 'Never' }, { event: 'Never', is: { eq: 0 } }];
const missing = (name: string): Definition['q'] => ({ event: name });

describe('a clause in words', () => {
  const views: readonly (readonly [string, Definition['q'], string])[] = [
    ['count', { event: 'Pageview', is: { gte: 3 } }, '✗ Pageview events: has 2, needs at least 3'],
    ['more', { event: 'Pageview', is: { gt: 1 } }, '✓ Pageview events: has 2, needs more than 1'],
    ['at most', { event: 'Pageview', is: { lte: 1 } }, '✗ Pageview events: has 2, needs at most 1'],
    ['fewer', { event: 'Pageview', is: { lt: 3 } }, '✓ Pageview events: has 2, needs fewer than 3'],
    ['none', { event: 'LinkClick', is: { eq: 0 } }, '✓ LinkClick events: has 0, needs exactly 0'],
    ['range', { event: 'Pageview', is: { between: [2, 6] } }, '✓ Pageview events: has 2, needs between 2 and 6'],
    ['names', { event: ['Pageview', 'LinkClick'] }, '✓ LinkClick, Pageview events: has 1, needs at least 1'],
    [
      'sum',
      { event: 'Pageview', sum: 'seconds', is: { gte: 60 } },
      '✗ seconds of Pageview in all: has 5, needs at least 60',
    ],
    [
      'distinct',
      { event: 'Pageview', distinct: 'id', is: { gte: 2 } },
      '✗ different id of Pageview: has 1, needs at least 2',
    ],
    [
      'window, with its end',
      { event: 'Pageview', within: { days: 10 } },
      '✓ Pageview events in the last 10 days: has 1, needs at least 1; changes by itself at 2026-01-11T12:00:00.000Z',
    ],
    ['session', { event: 'Pageview', within: 'session' }, '✓ Pageview events in this session: has 1, needs at least 1'],
    ['view', { event: 'LinkClick', within: 'view' }, '✗ LinkClick events in this view: has 0, needs at least 1'],
    [
      'sequence',
      { sequence: [{ event: 'Pageview' }, { event: 'LinkClick' }], within: { minutes: 100 } },
      '✗ times Pageview then LinkClick in the last 100 minutes: has 0, needs at least 1',
    ],
    [
      'last',
      { last: { event: 'Pageview' }, is: { p: 'logged_in', is: true }, within: 1500 },
      '✓ the last Pageview in the last 1500 milliseconds matches; changes by itself at 2026-01-01T12:00:01.500Z',
    ],
    ['first', { first: { event: 'Pageview' }, is: { p: 'logged_in', is: false } }, '✗ the first Pageview matches'],
    ['entered', { entered: '8' }, '✓ times cohort 8 was entered: has 1, needs at least 1'],
    [
      'exited',
      { exited: '8', within: { hours: 1 } },
      '✗ times cohort 8 was exited in the last 1 hour: has 0, needs at least 1',
    ],
    ['cohort', { cohort: '8' }, '✓ member of cohort 8'],
    ['lookup', { lookup: 'geo', where: { p: 'country', in: ['FR'] } }, '✓ geo data matches'],
    [
      'third party',
      { thirdParty: { provider: 'acme', in: ['1', '2'], min: 2 } },
      '✗ 1 of the listed segments of acme, needs 2',
    ],
    ['model', { lookalike: { model: 'm', gte: 0.9 } }, '✗ score 0.5 of model m, needs at least 0.9'],
    ['unknown model', { lookalike: { model: 'n', gte: 0.9 } }, '✗ no score yet of model n, needs at least 0.9'],
    ['always', { const: true }, '✓ always'],
    ['never', { const: false }, '✗ never'],
  ];
  it.each(views)('%s', (_, q, expected) => expect(clauseOf(q, { views: 2 })).toBe(expected));

  it.each([
    [{ lookup: 'geo', where: { p: 'country', exists: true } }, '✗ geo data matches (not here yet)'],
    [{ secondParty: { provider: 'acme', in: ['1'] } }, '✗ 0 of the listed segments of acme, needs 1 (not here yet)'],
  ] as const)('whose data has not come: %j', (q, expected) => {
    const words = wordsOf(q, { input: { lookups: {}, pending: ['geo', 'secondParty'] } });
    expect(words.split('\n').slice(0, 2)).toEqual([
      'Cohort 7: the visitor is not a member. Data is pending: the last result stands.',
      expected,
    ]);
  });

  it('says what this device has of it', () => {
    const explanation: Explanation = {
      id: '7',
      checksum: '',
      result: true,
      at: '',
      held: false,
      failed: true,
      tree: {
        node: 'event',
        holds: true,
        what: 'Pageview',
        agg: 'count',
        have: 5,
        haveHere: 2,
        need: { gte: 3 },
        saturated: false,
        buckets: [],
      },
    };
    expect(explainWords(explanation).split('\n').slice(0, 2)).toEqual([
      'Cohort 7: the visitor is a member. The query has failed on this page: the last result stands.',
      '✓ Pageview events: has 5 (2 on this device), needs at least 3',
    ]);
  });

  it('indents what belongs to a group', () => {
    const q = { and: [{ or: [always, never] }, { not: never }, { match: [always, never], min: 2 }, { sub: 1 }] };
    expect(
      wordsOf(q as Definition['q'], { sub: [always] })
        .split('\n')
        .slice(1, -1)
        .map((line) => line.replace(/Never events.*/, '…'))
        .sort(),
    ).toEqual(
      [
        '✗ all of:',
        '  ✓ any of:',
        '    ✓ …',
        '    ✗ …',
        '  ✓ not:',
        '    ✗ …',
        '  ✗ at least 2 of these (1 now):',
        '    ✓ …',
        '    ✗ …',
        '  ✓ the shared clause:',
        '    ✓ …',
      ].sort(),
    );
  });
});

describe('what would flip it', () => {
  const [a, b, c] = ['A', 'B', 'C'].map(missing) as [Definition['q'], Definition['q'], Definition['q']];
  const view = missing('Pageview');
  const wants = (name: string): string => `${name} events: has 0, needs at least 1`;
  const has = '“Pageview events: has 1, needs at least 1”';
  it.each<readonly [string, Definition['q'], string]>([
    ['one clause', a, `To enter: ${wants('A')}.`],
    ['its contrary', view, `To leave: no longer ${has}.`],
    ['all that is missing of an and', { and: [a, b, view] }, `To enter: ${wants('A')}, and ${wants('B')}.`],
    ['one of an or', { or: [a, b] }, `To enter: ${wants('A')}, or ${wants('B')}.`],
    [
      'any of an and, to leave',
      { and: [view, { cohort: '8' }] },
      `To leave: no longer “member of cohort 8”, or no longer ${has}.`,
    ],
    [
      'all of an or, to leave',
      { or: [view, { cohort: '8' }, a] },
      `To leave: no longer “member of cohort 8”, and no longer ${has}.`,
    ],
    [
      'as many as a match lacks',
      { match: [a, b, c, view], min: 3 },
      `To enter: 2 of: ${wants('A')}; ${wants('B')}; ${wants('C')}.`,
    ],
    ['the one that a match lacks', { match: [a, b, view], min: 2 }, `To enter: ${wants('A')}, or ${wants('B')}.`],
    ['all that a match lacks', { match: [a, view], min: 2 }, `To enter: ${wants('A')}.`],
    [
      'enough of a match, to leave',
      { match: [view, { cohort: '8' }], min: 1 },
      `To leave: no longer “member of cohort 8”, and no longer ${has}.`,
    ],
    [
      'one too many of a match',
      { match: [view, { cohort: '8' }], min: 0, max: 1 },
      `To enter: no longer “member of cohort 8”, or no longer ${has}.`,
    ],
    ['what must not be', { not: view }, `To enter: no longer ${has}.`],
    ['what must not come', { not: a }, `To leave: ${wants('A')}.`],
    [
      'groups in groups',
      { and: [a, { or: [b, c] }] },
      `To enter: ${wants('A')}, and (${wants('B')}, or ${wants('C')}).`,
    ],
  ])('%s', (_, q, expected) => expect(flipOf(q, { views: 1 })).toBe(expected));

  it('is nothing where nothing can', () => {
    expect(wordsOf({ and: [a, { const: false }] })).not.toContain('To enter');
    expect(wordsOf({ const: true })).toBe('Cohort 7: the visitor is a member.\n✓ always');
  });

  it('goes through shared clauses', () => expect(flipOf({ sub: 1 }, { sub: [a] })).toBe(`To enter: ${wants('A')}.`));
});
