import * as fc from 'fast-check';

import { createEngine } from '../../src/engine/cohortEngine';
import { type Engine, init, type RuntimeInput } from '../../src/engine/engine';
import type { EngineEvent } from '../../src/engine/engineEvent';
import { Interpreter } from '../../src/engine/evaluate/interpreter';
import type { Query } from '../../src/engine/evaluate/query';
import type { EngineReport } from '../../src/engine/evaluate/report';
import { published } from '../../src/engine/language/canonical';
import type { Definition, Expr, LookupName } from '../../src/engine/language/language';
import { h53 } from '../../src/engine/language/murmur';
import type { LookalikeModel } from '../../src/engine/models/lookalike';
import { lifting } from '../../src/engine/state/lift';
import { dayMs } from '../../src/primitives/duration';
import { law } from '../support/laws';
import { definitions, event, inputOf, start, stored, t0 } from './support/run';

const signed = ({ transitions }: EngineReport): string[] =>
  transitions.map(({ id, entry }) => `${entry ? '+' : '-'}${id}`);
const seen = (engine: Engine, name = 'A', time = t0, properties: EngineEvent['properties'] = {}): string[] =>
  signed(engine.process([event(name, time, properties)], time));
const chain = (length: number): Definition[] =>
  definitions({ event: 'A' }, ...Array.from({ length: length - 1 }, (_, i) => ({ cohort: String(i + 1) })));
const context = (session: string, view: string): RuntimeInput['context'] => ({
  session: { id: session, startedAt: t0 + 1 },
  view: { id: view, startedAt: t0 + 1 },
});

/** Conditions over the cohorts before them, the first of which is that of an event. */
const cohortGraph: fc.Arbitrary<Expr[]> = fc
  .array(
    fc.record({
      tag: fc.constantFrom('and', 'or', 'match'),
      links: fc.array(fc.record({ back: fc.nat(30), isNegated: fc.boolean() }), { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((nodes) =>
    nodes.map(({ tag, links }, i): Expr => {
      const children = links.map(({ back, isNegated }): Expr => {
        const cohort = { cohort: String(Math.max(1, i + 1 - back)) };
        return isNegated ? { not: cohort } : cohort;
      });
      return tag === 'and' ? { and: children } : tag === 'or' ? { or: children } : { match: children, min: 2 };
    }),
  );

describe('input', () => {
  it.each([null, undefined, 5, 'x', []])('%j is invalid', (input) => {
    expect(() => init(input as never)).toThrow('Invalid runtime input specified.');
  });
});

describe('a broken query', () => {
  it.each<[string, unknown, string]>([
    [
      'does not decode',
      { id: '7', q: { evnt: 'A' } },
      'Failed to interpret query 7. Got q: expected a query node with exactly one of',
    ],
    [
      'has no id',
      { q: { const: true } },
      'Failed to interpret query at index 1. Got id: expected a string that is not empty.',
    ],
    [
      'refers to subquery 0',
      { id: '7', q: { sub: 0 }, sub: [{ const: true }] },
      'Failed to interpret query 7. Got subquery index out of bounds.',
    ],
    [
      'refers beyond its subqueries',
      { id: '7', q: { sub: 2 }, sub: [{ const: true }] },
      'Failed to interpret query 7. Got subquery index out of bounds.',
    ],
    [
      'is its own subquery',
      { id: '7', q: { sub: 1 }, sub: [{ not: { sub: 1 } }] },
      'Failed to interpret query 7. Got subquery refers to itself.',
    ],
    [
      'has the id of another',
      { id: '1', q: { const: true } },
      'Failed to interpret query 1. Got its id is not unique.',
    ],
    [
      'keeps too many cells',
      { id: '7', q: { or: Array.from({ length: 32 }, (_, i) => ({ event: `E${i}` })) } },
      'Failed to interpret query 7. Got more than 31 cells.',
    ],
    [
      'needs data that nobody provides',
      { id: '7', q: { lookup: 'geo', where: { p: 'x', exists: true } } },
      'Failed to interpret query 7. Got geo lookup has not been provided.',
    ],
    [
      'needs models that nobody provides',
      { id: '7', q: { lookalike: { model: 'm', gte: 0.5 } } },
      'Failed to interpret query 7. Got lookalike lookup has not been provided.',
    ],
  ])('that %s costs itself only', (_what, definition, message) => {
    const engine = init(
      inputOf([...definitions({ event: 'A' }), definition as Definition, { id: '9', q: { cohort: '7' } }]),
    );
    const reports = [engine.bootstrap(), engine.replay([])];
    const errors = reports.flatMap((report) => report.errors);
    expect(errors).toEqual([expect.stringContaining(message)]);
    expect(seen(engine)).toEqual(['+1']);
    // Once is enough.
    expect(engine.process([event('A', t0)], t0).errors).toEqual([]);
    expect(engine.members()).toEqual(['1']);
  });

  it('keeps its stored state and is no member meanwhile', () => {
    const one = start(definitions({ event: 'A' }, { event: 'A', is: { gte: 2 } }));
    seen(one);
    const state = stored(one) as { internal_query_states: unknown };
    const broken = init(
      inputOf(
        [
          { id: '1', q: { evnt: 'A' } as unknown as Expr },
          { id: '3', q: { cohort: '1' } },
        ],
        { state },
      ),
    );
    expect(signed(broken.bootstrap())).toEqual([]);
    broken.replay([]);
    expect(broken.members()).toEqual([]);
    expect((stored(broken) as typeof state).internal_query_states).toEqual({
      '1': (state.internal_query_states as Record<string, unknown>)['1'],
    });
  });

  it('that fails while it is evaluated keeps its result', () => {
    const lookups = { geo: { x: 1 } };
    const queries = definitions({ or: [{ event: 'A' }, { lookup: 'geo', where: { p: 'x', exists: true } }] });
    const one = start(queries, { lookups });
    expect(one.members()).toEqual(['1']);
    const other = init(inputOf(queries, { state: stored(one) }));
    expect(other.bootstrap().errors).toHaveLength(1);
    expect(other.replay([]).transitions).toEqual([]);
    expect(seen(other)).toEqual([]);
    expect(other.members()).toEqual(['1']);
    expect(other.explain('1')).toMatchObject({ result: true, failed: true, tree: { holds: true } });
  });

  it('may activate no other', () => {
    const interpreter = new Interpreter();
    const message = 'The query interpreter may set a segment activation only for the query it is evaluating';
    expect(() => interpreter.setActivation('1', [])).toThrow(message);
    const holds = (): boolean => {
      interpreter.setActivation('2', ['dfp']);
      return true;
    };
    expect(() => interpreter.evaluate({ id: '1', platforms: [], activations: [], holds } as unknown as Query)).toThrow(
      message,
    );
  });
});

describe('the definitions of a build', () => {
  const toEnd = (steps: Generator<void, EngineReport>): EngineReport => {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  };
  const [broken, right] = [
    { id: '7', q: { sub: 2 }, sub: [], canonical: true, checksum: 'x' },
    published({ id: '8', q: { event: 'A' } }),
  ];
  const errorsOf = (...queries: readonly unknown[]): readonly string[] => {
    const engine = createEngine(inputOf(queries as readonly Definition[]));
    const { errors } = toEnd(engine.bootstrapSteps());
    toEnd(engine.replaySteps([]));
    expect(engine.process([event('A', t0)], t0).transitions).toEqual([{ id: '8', entry: true, time: t0 }]);
    return errors;
  };

  it.each<[string, unknown, string]>([
    ['that does not compile', broken, 'Failed to interpret query 7. Got subquery index out of bounds.'],
    [
      'that is not canonical',
      { ...right, id: '7', canonical: false },
      'Failed to interpret query 7. Got it is not canonical with its checksum.',
    ],
    [
      'without a checksum',
      { id: '7', q: { event: ['A'] }, canonical: true },
      'Failed to interpret query 7. Got it is not canonical with its checksum.',
    ],
    ['that is nothing', null, 'Failed to interpret query at index 0. Got it is not canonical with its checksum.'],
  ])('are trusted, and one %s costs itself only', (_what, definition, error) => {
    expect(errorsOf(definition, right)).toEqual([error]);
  });

  it('may come with others that are checked', () => {
    const engine = lifting(createEngine(inputOf([right])));
    toEnd(engine.bootstrapSteps());
    toEnd(engine.replaySteps([]));
    expect(toEnd(engine.appendLiftedSteps({}, [{ id: '9', q: { evnt: 'A' } } as never])).errors).toEqual([
      expect.stringContaining('Failed to interpret query 9. Got q: expected a query node'),
    ]);
    expect(toEnd(engine.appendLiftedSteps({}, [{ id: '9', q: { event: 'A' } }])).errors).toEqual([]);
    expect(engine.process([event('A', t0)], t0).transitions).toHaveLength(2);
  });
});

describe('waves', () => {
  it('E8 settle a chain of a hundred cohorts without complaint', () => {
    const engine = start(chain(101));
    const report = engine.process([event('A', t0)], t0);
    expect(report.errors).toEqual([]);
    expect(engine.members()).toHaveLength(101);
  });

  it('E8 stop an odd cycle, once, and go on', () => {
    const engine = start(
      definitions(
        { event: 'A' },
        { and: [{ cohort: '1' }, { not: { cohort: '3' } }] },
        { cohort: '2' },
        { event: 'B' },
      ),
    );
    expect(engine.process([event('A', t0)], t0).errors).toEqual([
      'Exceeded 100 iterations when producing transition events.',
    ]);
    expect(seen(engine, 'B')).toEqual(['+4']);
    expect(engine.process([event('A', t0)], t0).errors).toEqual([]);
  });

  it(
    'E8 settle whatever cohorts refer to cohorts, as long as there is no cycle',
    law(cohortGraph, (conditions) => {
      const engine = start(definitions({ event: 'A' }, ...conditions));
      expect(engine.process([event('A', t0)], t0).errors).toEqual([]);
      const members = new Set(engine.members());
      const holds = (node: Expr): boolean => {
        if ('cohort' in node) return members.has(node.cohort);
        if ('not' in node) return !holds(node.not);
        if ('match' in node) return node.match.filter(holds).length >= (node.min ?? 1);
        return 'and' in node ? node.and.every(holds) : 'or' in node && node.or.some(holds);
      };
      expect([...members]).toEqual(['1', ...conditions.flatMap((node, i) => (holds(node) ? [String(i + 2)] : []))]);
    }),
  );

  it(
    'E8 stop a cycle of which the negations are odd, once, and go on; settle any other',
    law(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), (negations) => {
      // The first closes the ring as soon as A has happened.
      const last = negations.length + 1;
      const ring = negations.map((isNegated, i): Expr => {
        const before: Expr = { cohort: String(i === 0 ? last : i + 1) };
        const link: Expr = isNegated ? { not: before } : before;
        return i === 0 ? { and: [{ cohort: '1' }, link] } : link;
      });
      const engine = start(definitions({ event: 'A' }, ...ring, { event: 'B' }));
      const isOdd = negations.filter((isNegated) => isNegated).length % 2 === 1;
      expect(engine.process([event('A', t0)], t0).errors).toEqual(
        isOdd ? ['Exceeded 100 iterations when producing transition events.'] : [],
      );
      expect(engine.process([event('B', t0)], t0)).toMatchObject({
        errors: [],
        transitions: [{ id: String(last + 1), entry: true }],
      });
      expect(engine.process([event('A', t0)], t0).errors).toEqual([]);
    }),
  );

  it('E8 settle an even cycle', () => {
    const engine = start(definitions({ event: 'A' }, { or: [{ cohort: '1' }, { cohort: '3' }] }, { cohort: '2' }));
    expect(seen(engine)).toEqual(['+1', '+2', '+3']);
  });

  it('report the transitions of a wave in the order of ids, numbers by value', () => {
    const ids = ['10', '9', 'b', 'a', '100'];
    const engine = start(ids.map((id) => ({ id, q: { event: 'A' } })));
    expect(seen(engine)).toEqual(['+9', '+10', '+100', '+a', '+b']);
    expect(engine.members()).toEqual(['9', '10', '100', 'a', 'b']);
  });

  it('see the memberships of the wave before', () => {
    // Both hold after the first wave; the exclusive one must not have seen the other half way.
    const engine = start(definitions({ event: 'A' }, { and: [{ event: 'A' }, { not: { cohort: '1' } }] }));
    expect(seen(engine)).toEqual(['+1', '+2', '-2']);
  });

  it('feed transitions to those who count them, as events and by id', () => {
    const engine = start(
      definitions(
        { event: 'A', within: 'view' },
        { entered: '1', is: { gte: 2 } },
        { exited: '1' },
        { event: 'SegmentEntry', where: { p: 'segment_number', eq: 1 } },
        { event: 'SegmentExit', where: { p: 'segment_number', eq: 1 } },
        { entered: '2' },
      ),
    );
    expect(seen(engine)).toEqual(['+1', '+4']);
    expect(signed(engine.updateContext(context('s1', 'v2')))).toEqual(['-1', '+3', '+5']);
    expect(signed(engine.process([event('A', t0, {}, { view_id: 'v2' })], t0))).toEqual(['+1', '+2', '+6']);
    // The page's own copies of those events are not counted again.
    expect(
      signed(
        engine.process(
          [event('SegmentExit', t0, { segment_number: 1 }), event('SegmentEntry', t0, { segment_number: 7 })],
          t0,
        ),
      ),
    ).toEqual([]);
  });
});

describe('time', () => {
  const week = definitions({ event: 'A', within: { days: 7 } });
  const width = (7 * dayMs) / 100;
  const exit = (Math.floor(t0 / width) + 100) * width;

  it('ends a membership when the bucket of its event leaves the window', () => {
    const engine = start(week);
    seen(engine);
    expect(engine.explain('1')!.tree).toMatchObject({ changesAt: new Date(exit).toISOString() });
    expect(signed(engine.tick(exit - 1))).toEqual([]);
    expect(engine.tick(exit).transitions).toEqual([{ id: '1', entry: false, time: exit }]);
  });

  it('does not run backwards', () => {
    const engine = start(week);
    seen(engine);
    engine.tick(exit);
    expect(seen(engine, 'B', t0)).toEqual([]);
    expect(signed(engine.tick(t0))).toEqual([]);
    expect(seen(engine, 'A', t0)).toEqual([]);
  });

  it('that passed while the page was closed is made up for at the start', () => {
    const engine = start(week);
    seen(engine);
    const later = init(inputOf(week, { state: stored(engine), now: exit + 5 }));
    expect(later.bootstrap().transitions).toEqual([{ id: '1', entry: false, time: exit + 5 }]);
  });

  it('is cut into no more buckets than it has milliseconds', () => {
    const engine = start(definitions({ event: 'A', within: 5 }));
    expect(seen(engine)).toEqual(['+1']);
    expect(signed(engine.tick(t0 + 4))).toEqual([]);
    expect(signed(engine.tick(t0 + 5))).toEqual(['-1']);
  });

  it('is compared once when there is nothing to do', () => {
    const engine = start(week);
    seen(engine);
    const report = engine.tick(t0 + 1000);
    expect(report).toEqual({ transitions: [], changed: [], errors: [], stateChanged: false });
  });

  it('brings a held query its exit when it is released', () => {
    const engine = start(
      definitions({
        and: [
          { event: 'A', within: { days: 7 } },
          { lookup: 'geo', where: { p: 'x', exists: true } },
        ],
      }),
      { pending: ['geo'] },
    );
    expect(seen(engine)).toEqual([]);
    expect(signed(engine.updateData({ geo: { x: 1 } }))).toEqual(['+1']);
    expect(signed(engine.tick(exit))).toEqual(['-1']);
  });
});

describe('an event', () => {
  it('counts once, however much of a condition it meets', () => {
    const signs = [
      { p: 'x', in: ['a'] },
      { p: 'y', in: ['b'] },
      { p: 'z', words: ['c'] },
    ];
    const where = [{ or: signs }, { match: signs, min: 2 }, { p: 'x', in: ['a', 'b'] }];
    const engine = start(
      definitions(...where.map((each): Expr => ({ event: ['A', 'B'], where: each, is: { gte: 2 } }))),
    );
    const properties = { x: ['a', 'b', 'a'], y: 'b', z: 'c c' };
    expect(seen(engine, 'A', t0, properties)).toEqual([]);
    expect(seen(engine, 'B', t0, properties)).toEqual(['+1', '+2', '+3']);
  });
});

describe('a sequence', () => {
  const guide: Expr = { sequence: [{ event: 'A' }, { event: 'B' }], span: 100 };

  it.each([
    [99, ['+1']],
    [100, ['+1']],
    [101, []],
    [-1, []],
  ])('may take its span and no more: %d ms', (later, transitions) => {
    const engine = start(definitions(guide));
    seen(engine);
    expect(seen(engine, 'B', t0 + later)).toEqual(transitions);
  });

  it('stays open across a save for as long as it may take', () => {
    const engine = start(definitions(guide));
    seen(engine);
    engine.tick(t0 + 100);
    const saved = stored(engine);
    engine.tick(t0 + 101);
    expect(engine.snapshot().internal_query_states).toEqual({});
    const other = init(inputOf(definitions(guide), { state: saved, now: t0 + 100 }));
    other.bootstrap();
    other.replay([]);
    expect(seen(other, 'B', t0 + 100)).toEqual(['+1']);
  });

  it('needs an event for each step', () => {
    const engine = start(definitions({ sequence: [{ event: 'A' }, { event: ['A', 'B'] }, { event: 'A' }] }));
    expect([seen(engine), seen(engine), seen(engine)]).toEqual([[], [], ['+1']]);
  });
});

describe('an event that changes nothing', () => {
  it.each<[string, Expr]>([
    ['a saturated count', { event: 'A', is: { gte: 1 } }],
    ['a saturated window', { event: 'A', within: 1000 }],
    ['a value seen', { event: 'A', distinct: '$name', within: 1000 }],
    ['the same edge', { last: { event: 'A' }, is: { p: 'x', exists: false } }],
    ['a sequence begun', { sequence: [{ event: 'A' }, { event: 'B' }] }],
    ['a saturated session', { event: 'A', within: 'session' }],
    ['nothing to sum', { event: 'A', sum: 'n' }],
    ['another event', { event: 'B' }],
  ])('is nothing to save: %s', (_what, q) => {
    const engine = start(definitions(q));
    seen(engine);
    expect(engine.process([event('A', t0)], t0)).toEqual({
      transitions: [],
      changed: [],
      errors: [],
      stateChanged: false,
    });
  });
});

describe('session and view', () => {
  it('count what happened in them, and forget it at once when they change', () => {
    const engine = start(
      definitions(
        { event: 'A', within: 'session', is: { gte: 2 } },
        { event: 'A', within: 'view' },
        { event: 'A', sum: 'n', within: 'session', is: { gte: 2.5 } },
      ),
    );
    expect(seen(engine, 'A', t0, { n: 1.2 })).toEqual(['+2']);
    expect(seen(engine, 'A', t0, { n: 1.3 })).toEqual(['+1', '+3']);
    expect(signed(engine.updateContext(context('s1', 'v2')))).toEqual(['-2']);
    expect(signed(engine.updateContext(context('s2', 'v2')))).toEqual(['-1', '-3']);
    // A late event of the old session does not count.
    expect(seen(engine)).toEqual([]);
  });

  it('are the same after a reload', () => {
    const queries = definitions({ event: 'A', within: 'session', is: { gte: 2 } });
    const engine = start(queries);
    seen(engine);
    const other = init(inputOf(queries, { state: stored(engine) }));
    other.bootstrap();
    other.replay([]);
    expect(seen(other)).toEqual(['+1']);
  });

  describe('where another tab has begun the next session', () => {
    const next = { session_id: 's2' };
    const queries = definitions({ event: 'A', within: 'session', is: { gte: 2 } });
    const joined = { session: { id: 's2', startedAt: t0 + 900 }, view: null };

    it('have what that tab has counted in it, once the page joins it', () => {
      const engine = start(queries);
      engine.process([event('A', t0 + 10, {}, next), event('A', t0 + 20, {}, next)], t0 + 20);
      expect(engine.members()).toEqual([]);
      expect(signed(engine.updateContext(joined))).toEqual(['+1']);
    });

    it('do not lose it to what the page still counts in the session before', () => {
      const engine = start(queries);
      const before = event('A', t0 + 30);
      engine.process([event('A', t0 + 10, {}, next), event('A', t0 + 20, {}, next), before, before], t0 + 30);
      expect(engine.members()).toEqual(['1']);
      expect(signed(engine.updateContext(joined))).toEqual([]);
      expect(engine.members()).toEqual(['1']);
    });

    it('keep what two sessions have, and no more', () => {
      const engine = start(queries);
      for (const session_id of ['s1', 's2', 's3']) engine.process([event('A', t0 + 10, {}, { session_id })], t0 + 10);
      const { state } = engine.snapshot().internal_query_states['1'] as { state: readonly (readonly number[])[] };
      expect(state[0]).toHaveLength(6);
    });

    it('count nothing of a session that was before', () => {
      const engine = start(queries);
      engine.process([event('A', t0, {}, { session_id: 's0' }), event('A', t0, {}, { session_id: 's0' })], t0);
      expect(engine.updateContext({ ...joined, session: { id: 's0', startedAt: t0 } }).changed).toEqual([]);
    });
  });

  it('count nothing where there is none', () => {
    const engine = start(
      definitions({ event: 'A', within: 'session' }, { event: 'A', within: 'view', is: { eq: 0 } }),
      { context: { session: null, view: null } },
    );
    expect(signed(engine.process([event('A', t0, {}, { session_id: null, view_id: null })], t0))).toEqual([]);
    expect(engine.members()).toEqual(['2']);
  });

  it('follow the page even when its clock was set back', () => {
    const engine = start(definitions({ event: 'A', within: 'session' }));
    seen(engine);
    const early = { session: { id: 's0', startedAt: t0 - dayMs }, view: null };
    expect(signed(engine.updateContext(early))).toEqual(['-1']);
    expect(signed(engine.process([event('A', t0 - dayMs, {}, { session_id: 's0' })], t0))).toEqual(['+1']);
  });
});

describe('lookups', () => {
  const inFrance: Expr = { lookup: 'geo', where: { p: 'country', in: ['FR'] } };
  const bought: Expr = { thirdParty: { provider: 'acme', in: ['1', '2', '3'], min: 2 } };

  it('are read by the queries that ask them', () => {
    const engine = start(definitions(inFrance, bought, { secondParty: { provider: 'own', in: [7] } }), {
      lookups: { geo: { country: 'fr' }, thirdParty: { acme: ['1', '3'] }, secondParty: { own: [8] } },
    });
    expect(engine.members()).toEqual(['1', '2']);
    expect(signed(engine.updateData({ geo: { country: 'US' } }))).toEqual(['-1']);
    expect(signed(engine.updateData({ thirdParty: { acme: ['1'] }, secondParty: { own: ['7'] } }))).toEqual([
      '-2',
      '+3',
    ]);
    expect(signed(engine.updateData({ thirdParty: {} }))).toEqual([]);
  });

  it('that are awaited again hold their queries at the result that they had', () => {
    const engine = start(definitions(inFrance), { lookups: { geo: { country: 'fr' } } });
    expect(engine.members()).toEqual(['1']);
    expect(signed(engine.updateData({ geo: null }))).toEqual([]);
    expect(engine.explain('1')).toMatchObject({ held: true });
    expect([...seen(engine), ...engine.members()]).toEqual(['1']);
    expect(signed(engine.updateData({ geo: { country: 'de' } }))).toEqual(['-1']);
  });

  it('that are pending hold their queries at the stored result, and let them count', () => {
    const queries = definitions({ and: [inFrance, { event: 'A', is: { gte: 2 } }] }, { cohort: '1' });
    const engine = start(queries, { pending: ['geo'] });
    expect([...seen(engine), ...seen(engine)]).toEqual([]);
    expect(engine.explain('1')).toMatchObject({
      held: true,
      tree: {
        of: [
          { node: 'event', have: 2 },
          { node: 'lookup', pending: true, holds: false },
        ],
      },
    });
    expect(signed(engine.updateData({ geo: { country: 'fr' } }))).toEqual(['+1', '+2']);

    const next = init(inputOf(queries, { state: stored(engine), pending: ['geo'] }));
    expect(signed(next.bootstrap())).toEqual([]);
    expect(next.members()).toEqual(['1', '2']);
    expect(signed(next.updateData({ geo: {} }))).toEqual(['-1', '-2']);
  });

  it('are looked at again when they come in unchanged, for the cells may have moved', () => {
    const queries = definitions({ and: [bought, { event: 'A' }] });
    const thirdParty = { acme: ['1', '2'] };
    const one = start(queries, { lookups: { thirdParty } });
    const other = init(inputOf(queries, { state: stored(one), pending: ['thirdParty'] }));
    other.bootstrap();
    other.replay([]);
    expect(seen(other)).toEqual([]);
    expect(signed(other.updateData({ thirdParty }))).toEqual(['+1']);
    expect(other.snapshot().third_party_data_hash).toBe(one.snapshot().third_party_data_hash);
    other.updateData({ thirdParty: { acme: ['2', '1', '1'] } });
    expect(other.snapshot().third_party_data_hash).toBe(h53('{"acme":["1","2"]}', 0).toString(36));
  });

  it('keep third-party events waiting until the data is there', () => {
    const engine = start(
      definitions({ and: [{ event: 'ThirdPartySegments' }, bought] }, { event: 'ThirdPartySegments' }),
      { pending: ['thirdParty'] },
    );
    expect(seen(engine, 'ThirdPartySegments')).toEqual([]);
    expect(signed(engine.updateData({ thirdParty: { acme: ['1', '2'] } }))).toEqual(['+1', '+2']);
  });

  it('tell which segments were of use', () => {
    const hashed = { thirdParty: { provider: 'hidden', in: [h53('x1', 0)], hashed: true } };
    const engine = start(
      definitions(
        bought,
        { or: [hashed, { thirdParty: { provider: 'acme', in: [4] } }] },
        { and: [{ not: { thirdParty: { provider: 'acme', in: ['9'] } } }, { sub: 1 }] },
        { and: [{ thirdParty: { provider: 'acme', in: ['5'] } }, { const: false }] },
        { or: [{ not: { thirdParty: { provider: 'acme', in: ['8'] } } }, { const: true }] },
      ).map((definition) => ({ ...definition, sub: [{ thirdParty: { provider: 'acme', in: ['6'] } }] })),
      { lookups: { thirdParty: { acme: ['2', '1', '5', '6', '8'], hidden: ['X1'] } } },
    );
    expect(engine.usage()).toEqual([
      { provider: 'acme', id: '1' },
      { provider: 'acme', id: '2' },
      { provider: 'acme', id: '6' },
      { provider: 'hidden', id: 'X1' },
    ]);
    expect(start(definitions(bought), { pending: ['thirdParty'] }).usage()).toEqual([]);
  });

  it('are named among the triggers', () => {
    const engine = start(
      definitions({
        and: [
          bought,
          { secondParty: { provider: 'x', in: [1] } },
          { lookalike: { model: 'm', gte: 0.5 } },
          { sequence: [{ event: 'A' }, { event: 'B' }] },
          { exited: '2' },
          { entered: '2' },
          { last: { event: 'L' }, is: { p: 'x', is: true } },
          { first: { event: 'F' }, is: { p: 'x', is: true } },
        ],
      }),
      { pending: ['thirdParty', 'secondParty', 'lookalike'] },
    );
    expect(engine.triggersOf('1').sort()).toEqual([
      'A',
      'B',
      'F',
      'L',
      'SegmentEntry',
      'SegmentExit',
      'UpdateLookalikeModels',
      'UpdateSecondPartyData',
      'UpdateThirdPartyData',
    ]);
    expect(engine.triggersOf('2')).toEqual([]);
  });
});

describe('lookalike models', () => {
  const model = (id: string, data: '1p' | '3p', weights: Record<string, number>): LookalikeModel => ({
    version: 2,
    id,
    data_preference: data,
    precision: 10,
    min: -8,
    max: 8,
    weights: new Map(
      Object.entries(weights).map(([feature, weight]) => [
        feature,
        Math.round(((weight + 8) / 16) * 1023).toString(36),
      ]),
    ),
  });
  const like = (gte: number, data?: '1p' | '3p'): Expr => ({
    lookalike: { model: 'm', gte, ...(data === undefined ? {} : { data }) },
  });
  const queries = definitions({ event: 'A' }, { event: 'B' }, like(0.75), like(0.2));

  it('score by the cohorts of the user as they come and go', () => {
    const lookups = { lookalike: [model('m', '1p', { const: -2, '1': 2, '2': 3, '99': 5 })] };
    const engine = start(
      [...queries, ...definitions({ event: 'A', within: 'view' }).map((definition) => ({ ...definition, id: '99' }))],
      { lookups },
    );
    expect(engine.members()).toEqual([]);
    expect(seen(engine)).toEqual(['+1', '+99', '+3', '+4']);
    expect(signed(engine.updateContext(context('s1', 'v2')))).toEqual(['-99', '-3']);
    expect(seen(engine, 'B')).toEqual(['+2', '+3']);
    const { tree } = engine.explain('3')!;
    expect((tree as unknown as { have: number }).have).toBeCloseTo(1 / (1 + Math.exp(-3)), 2);
  });

  it('are counted anew when they change', () => {
    const engine = start(queries, { pending: ['lookalike'] });
    expect([...seen(engine), ...seen(engine, 'B')]).toEqual(['+1', '+2']);
    expect(signed(engine.updateData({ lookalike: [model('m', '1p', { const: -2, '1': 2, '2': 3 })] }))).toEqual([
      '+3',
      '+4',
    ]);
    expect(signed(engine.updateData({ lookalike: [model('m', '1p', { const: -2, '1': 2 })] }))).toEqual(['-3']);
    expect(signed(engine.updateData({ lookalike: [model('other', '1p', { const: 5 })] }))).toEqual(['-4']);
  });

  it('score third-party segments, and wait for them', () => {
    const engine = start(definitions(like(0.5, '3p'), like(0.5, '1p')), {
      lookups: { lookalike: [model('m', '3p', { const: -1, 'acme:1': 2 })] },
      pending: ['thirdParty'],
    });
    expect(engine.explain('1')!.held).toBe(true);
    expect(signed(engine.updateData({ thirdParty: { acme: ['1', '2'] } }))).toEqual(['+1']);
    expect(signed(engine.updateData({ thirdParty: { acme: ['2'] } }))).toEqual(['-1']);
  });

  it('are told apart by their data', () => {
    const both = [model('m', '1p', { const: 4 }), model('m', '3p', { const: -4 })];
    const engine = start(definitions(like(0.5, '1p'), like(0.5, '3p'), like(0.5)), {
      lookups: { lookalike: both, thirdParty: {} },
    });
    expect(engine.members()).toEqual(['1', '3']);
  });
});

describe('activations', () => {
  it('list the cohorts of each platform while they hold', () => {
    const trigger = { trigger: 'OnEntry' } as const;
    const queries: Definition[] = [
      { id: '10', q: { event: 'A', within: 'view' }, activations: { dfp: trigger, appnexus_adserver: trigger } },
      { id: '9', q: { event: 'A' }, activations: { dfp: trigger } },
      { id: '8', q: { event: 'B' }, activations: { dfp: trigger } },
    ];
    const engine = start(queries);
    seen(engine);
    expect(engine.activations()).toEqual({ dfp: ['9', '10'], appnexus_adserver: ['10'] });
    const other = init(inputOf(queries, { state: stored(engine) }));
    other.bootstrap();
    expect(other.activations()).toEqual({ dfp: ['9', '10'], appnexus_adserver: ['10'] });
    engine.updateContext(context('s1', 'v2'));
    expect(engine.activations()).toEqual({ dfp: ['9'] });
    expect(engine.snapshot().internal_query_states['9']).toMatchObject({ activations: ['dfp'] });
  });
});

describe('replay', () => {
  it('counts anew in cells that were full', () => {
    const engine = start(definitions({ event: 'A', within: { days: 7 } }));
    expect(seen(engine)).toEqual(['+1']);
    expect(signed(engine.replay([event('A', t0)], new Set(['1'])))).toEqual([]);
    expect(engine.members()).toEqual(['1']);
  });

  const past = [event('A', t0 - 3000), event('B', t0 - 2000), event('A', t0 - 1000)];

  it('makes the first transitions of a new query, and only the final ones', () => {
    const engine = init(
      inputOf(definitions({ event: 'A', is: { eq: 0 } }, { event: 'A', is: { gte: 2 } }, { not: { cohort: '1' } })),
    );
    expect(signed(engine.bootstrap())).toEqual([]);
    const report = engine.replay(past);
    expect(report.transitions).toEqual([
      { id: '2', entry: true, time: t0 },
      { id: '3', entry: true, time: t0 },
    ]);
    expect(report.stateChanged).toBe(true);
  });

  it('rebuilds a query whose meaning changed, and no other', () => {
    const one = start(definitions({ event: 'A' }, { event: 'B' }));
    seen(one);
    seen(one, 'B');
    const other = init(inputOf(definitions({ event: 'A', is: { gte: 2 } }, { event: 'B' }), { state: stored(one) }));
    expect(signed(other.bootstrap())).toEqual([]);
    expect(signed(other.replay(past))).toEqual(['+1']);
    expect(other.snapshot().internal_query_states).toMatchObject({ '1': { state: [2] }, '2': { state: [1] } });
  });

  it('lets what depends on a rebuilt query stay as it is meanwhile', () => {
    const dependents = definitions(
      { const: false },
      { cohort: '1' },
      { cohort: '2' },
      { lookalike: { model: 'm', gte: 0.5 } },
    ).slice(1);
    const lookalike: LookalikeModel[] = [
      {
        version: 2,
        id: 'm',
        data_preference: '1p',
        precision: 1,
        min: -1,
        max: 2,
        weights: new Map([
          ['const', '0'],
          ['1', '1'],
        ]),
      },
    ];
    const one = start([...definitions({ event: 'A' }), ...dependents], { lookups: { lookalike } });
    expect(seen(one)).toEqual(['+1', '+2', '+4', '+3']);
    const other = init(
      inputOf([...definitions({ event: 'A', is: { gte: 2 } }), ...dependents], {
        state: stored(one),
        lookups: { lookalike },
      }),
    );
    expect(signed(other.bootstrap())).toEqual([]);
    expect(other.members()).toEqual(['2', '3', '4']);
    // A new meaning is a new membership; those that follow from it have never left.
    expect(signed(other.replay(past))).toEqual(['+1']);
    expect(other.members()).toEqual(['1', '2', '3', '4']);
  });

  it('takes the past in the order in which it happened', () => {
    const engine = init(inputOf(definitions({ sequence: [{ event: 'A' }, { event: 'B' }, { event: 'A' }] })));
    engine.bootstrap();
    expect(signed(engine.replay([...past].reverse()))).toEqual(['+1']);
  });

  it('does nothing for a query that is known to have counted nothing', () => {
    const queries = definitions({ event: 'A' }, { event: 'B' });
    const one = start(queries);
    seen(one);
    const other = init(inputOf(queries, { state: stored(one) }));
    other.bootstrap();
    expect(signed(other.replay([event('B', t0)]))).toEqual([]);
  });

  it('rebuilds a query whose stored state is malformed', () => {
    const queries = definitions({ event: 'A', within: { days: 7 } }, { event: 'A' });
    const one = start(queries);
    seen(one);
    const state = stored(one) as { internal_query_states: Record<string, { state: unknown }> };
    state.internal_query_states['1']!.state = [[5, 'x']];
    const other = init(inputOf(queries, { state }));
    other.bootstrap();
    expect(signed(other.replay(past))).toEqual(['+1']);
    expect(other.snapshot().internal_query_states['2']).toMatchObject({ state: [1] });
  });

  it('takes the completion of a view for its engagement, but not both in one query', () => {
    const engine = start([]);
    expect(engine.members()).toEqual([]);
    const completion = event('PageviewComplete', t0 - 10, {
      engaged_time: 1,
      total_engaged_time: 40,
      total_completion: 0.5,
    });
    const sum: Expr = { event: 'PageviewEngagement', sum: 'engaged_time', is: { gte: 40 } };
    const other = init(
      inputOf(
        definitions(
          sum,
          { or: [sum, { event: 'PageviewComplete', is: { gte: 2 } }] },
          { event: 'PageviewEngagement', where: { p: 'completion', gte: 0.5 } },
        ),
      ),
    );
    other.bootstrap();
    expect(signed(other.replay([completion]))).toEqual(['+1', '+3']);
    expect(seen(other, 'PageviewComplete', t0, completion.properties)).toEqual(['+2']);
  });

  it('can be asked for', () => {
    const engine = start(definitions({ event: 'A', is: { gte: 3 } }, { event: 'A', is: { gte: 3 } }));
    seen(engine);
    expect(signed(engine.replay([...past, event('A', t0)], new Set(['2', 'unknown'])))).toEqual(['+2']);
    expect(engine.snapshot().internal_query_states['1']).toMatchObject({ state: [1] });
  });

  it('takes the events of the current session for its cells', () => {
    const engine = init(inputOf(definitions({ event: 'A', within: 'session', is: { gte: 2 } })));
    engine.bootstrap();
    expect(signed(engine.replay([event('A', t0, {}, { session_id: 's0' }), ...past]))).toEqual(['+1']);
    expect(engine.snapshot().internal_query_states['1']).toMatchObject({ state: [[t0, expect.any(Number), 2]] });
  });

  it('then counts the view that was left unfinished, once, at its own time', () => {
    const queries = definitions(
      { event: 'PageviewComplete', within: { days: 7 } },
      { event: 'PageviewComplete', is: { gte: 2 } },
    );
    const left = event('PageviewComplete', t0 - 5000);
    const state = { ...start(queries).snapshot(), unprocessed_pageview_complete: left };
    const engine = init(
      inputOf(
        [
          ...queries,
          ...definitions({ event: 'B' }, { event: 'B' }, { event: 'PageviewComplete', is: { gte: 2 } }).slice(2),
        ],
        { state },
      ),
    );
    engine.bootstrap();
    expect(signed(engine.replay([left]))).toEqual(['+1']);
    expect(engine.snapshot().unprocessed_pageview_complete).toBeNull();
    expect(engine.snapshot().internal_query_states['3']).toMatchObject({ state: [1] });
    expect(signed(engine.replay([]))).toEqual([]);
  });

  it('goes in steps, one event each', () => {
    const engine = init(inputOf(definitions({ event: 'A' }, { event: 'B' })));
    expect([...engine.bootstrapSteps()]).toHaveLength(2);
    const steps = engine.replaySteps(past);
    expect([steps.next().done, steps.next().done, steps.next().done]).toEqual([false, false, false]);
    expect(engine.members()).toEqual([]);
    const last = steps.next();
    expect(last.done === true && signed(last.value)).toEqual(['+1', '+2']);
  });
});

describe('names that objects have of themselves', () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];

  it.each(names)('%s is an id, a path, a provider, a feature and a platform like any other', (name) => {
    const weights = new Map([
      ['const', '0'],
      [name, (1023).toString(36)],
    ]);
    const lookalike: LookalikeModel[] = [
      { version: 2, id: name, data_preference: '1p', precision: 10, min: -1, max: 9, weights },
    ];
    const properties = JSON.parse(`{"${name}": {"${name}": "x"}}`) as EngineEvent['properties'];
    const lookups: Partial<Record<LookupName, unknown>> = {
      lookalike,
      thirdParty: JSON.parse(`{"${name}": ["1"]}`) as unknown,
    };
    const queries: Definition[] = [
      {
        id: name,
        q: { event: name, where: { p: `${name}.${name}`, in: ['x'] } },
        activations: JSON.parse(`{"${name}": {"trigger": "OnEntry"}}`) as NonNullable<Definition['activations']>,
      },
      { id: '2', q: { cohort: name } },
      { id: '3', q: { entered: name, within: 1000 } },
      { id: '4', q: { thirdParty: { provider: name, in: [1] } } },
      { id: '5', q: { lookalike: { model: name, gte: 0.9 } } },
    ];
    const engine = start(queries, { lookups, event_source_id: name });
    expect(engine.members()).toEqual(['4']);
    expect(seen(engine, name, t0, properties)).toEqual([`+${name}`, '+2', '+3', '+5']);
    expect(Object.entries(engine.activations())).toEqual([[name, [name]]]);
    expect(engine.usage()).toEqual([{ provider: name, id: '1' }]);
    const other = init(inputOf(queries, { lookups, event_source_id: name, state: stored(engine) }));
    expect(signed(other.bootstrap())).toEqual([]);
    expect(other.members()).toEqual(['2', '3', '4', '5', name]);
    const { state } = engine.delta(true)!;
    const device = start(queries, { lookups });
    expect(
      signed(device.updateExternalState(state.replace('"q":{', `"s":{"${name}":{`).replace(/\}$/, '}}'), 1)),
    ).toContain(`+${name}`);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('read nothing that an object only inherits', () => {
    const engine = start(
      definitions(
        ...names.map((name): Expr => ({ event: 'A', where: { p: name, exists: true } })),
        ...names.map((name): Expr => ({ cohort: name })),
        ...names.map((name): Expr => ({ lookup: 'geo', where: { p: name, exists: true } })),
      ),
      { lookups: { geo: {} } },
    );
    expect(seen(engine)).toEqual([]);
    expect(engine.explain('constructor')).toBeNull();
  });
});

describe('explain', () => {
  it('shows what each part has and needs', () => {
    const week = { within: { days: 7 } } as const;
    const queries: Definition[] = [
      {
        id: '20108',
        q: {
          match: [
            { event: 'Pageview', is: { gte: 3 }, ...week },
            { event: 'PageviewEngagement', sum: 'engaged_time', is: { gte: 60 }, ...week },
            { and: [{ cohort: '20109' }, { const: true }] },
            { not: { or: [{ entered: '20109', within: 1000 }, { exited: '20109' }] } },
            { sub: 1 },
          ],
          min: 3,
        },
        sub: [{ event: 'Pageview', distinct: '$day', ...week, is: { gte: 2 } }],
      },
      { id: '20109', q: { event: 'Pageview' } },
    ];
    const engine = start(queries);
    for (const [name, time, properties] of [
      ['Pageview', t0, {}],
      ['PageviewEngagement', t0 + 5, { engaged_time: 25 }],
      ['Pageview', t0 + dayMs, {}],
    ] as const)
      engine.process([event(name, time, properties)], time);
    const explanation = engine.explain('20108')!;
    expect(explanation).toMatchObject({
      id: '20108',
      result: true,
      held: false,
      failed: false,
      at: new Date(t0 + dayMs).toISOString(),
      checksum: expect.any(String) as string,
      tree: { node: 'match', holds: true, have: 3, need: 3 },
    });
    const of = (explanation.tree as unknown as { of: { node: string }[] }).of;
    const named = (node: string): unknown[] => of.filter((child) => child.node === node);
    const [views, engagement] = named('event') as [unknown, unknown];
    expect(views).toEqual({
      node: 'event',
      holds: false,
      what: 'Pageview',
      agg: 'count',
      have: 2,
      haveHere: 2,
      need: { gte: 3 },
      within: 604_800_000,
      saturated: false,
      buckets: [
        { from: '2023-11-15T20:38:24.000Z', weight: 1 },
        { from: '2023-11-14T21:07:12.000Z', weight: 1 },
      ],
    });
    expect(engagement).toMatchObject({
      agg: 'sum engaged_time',
      have: 25,
      need: { gte: 60 },
      buckets: [{ weight: 25 }],
    });
    expect(named('and')).toEqual([
      {
        node: 'and',
        holds: true,
        have: 2,
        need: 2,
        of: [
          { node: 'cohort', holds: true, cohort: '20109' },
          { node: 'const', holds: true },
        ],
      },
    ]);
    expect(named('not')).toMatchObject([
      {
        holds: true,
        have: 0,
        need: 0,
        of: [
          {
            node: 'or',
            have: 0,
            need: 1,
            of: [
              { node: 'entered', what: '20109', agg: 'count', have: 0, saturated: false },
              { node: 'exited', have: 0, buckets: [] },
            ],
          },
        ],
      },
    ]);
    expect(named('sub')).toMatchObject([
      {
        holds: true,
        have: 1,
        need: 1,
        of: [
          {
            agg: 'distinct $day',
            have: 2,
            saturated: true,
            changesAt: expect.any(String) as string,
            buckets: [{ weight: 1 }, { weight: 1 }],
          },
        ],
      },
    ]);
    expect(engine.explain('1')).toBeNull();
  });

  it('shows edges, sequences and data', () => {
    const engine = start(
      definitions(
        {
          or: [
            { last: { event: 'L' }, is: { p: 'x', is: true }, within: 1000 },
            { first: { event: ['L', 'M'] }, is: { p: 'x', is: true } },
            { sequence: [{ event: 'L' }, { event: 'M' }], within: 1000 },
          ],
        },
        {
          or: [
            { thirdParty: { provider: 'acme', in: ['1', '2'], min: 2 } },
            { secondParty: { provider: 'own', in: ['1'] } },
            { lookalike: { model: 'm', gte: 0.5 } },
          ],
        },
      ),
      { lookups: { thirdParty: { acme: ['1'] }, lookalike: [] }, pending: ['secondParty'] },
    );
    engine.process([event('L', t0, { x: true }), event('M', t0 + 1)], t0 + 1);
    const parts = (id: string): unknown[] => (engine.explain(id)!.tree as unknown as { of: unknown[] }).of;
    expect(parts('1')).toMatchObject([
      {
        node: 'sequence',
        what: 'L then M',
        agg: 'count',
        have: 1,
        buckets: [{ from: new Date(t0).toISOString(), weight: 1 }],
      },
      { node: 'first', what: 'L, M', agg: 'first', have: 1, need: { gte: 1 } },
      { node: 'last', what: 'L', agg: 'last', have: 1, within: 1000, changesAt: new Date(t0 + 1000).toISOString() },
    ]);
    expect(parts('2')).toEqual([
      { node: 'lookalike', holds: false, model: 'm', have: null, need: 0.5 },
      { node: 'secondParty', holds: false, provider: 'own', have: 0, need: 1, pending: true },
      { node: 'thirdParty', holds: false, provider: 'acme', have: 1, need: 2, pending: false },
    ]);
  });
});
