import * as fc from 'fast-check';

import { Limit } from '../../bench/limit';
import { subjects } from '../../bench/matchers';
import { canonicalPred, predicatesOf } from '../../bench/predicates';
import { definitionOf, paths } from '../../bench/rules';
import { workload } from '../../bench/workload';
import type { EngineEvent } from '../../src/engine/engineEvent';
import type { Pred } from '../../src/engine/language/language';
import { DefinitionCodec } from '../../src/engine/language/languageCodec';
import { event, start, t0 } from '../engine/support/run';
import { asyncLawOf } from '../support/laws';

const shapes = ['selective', 'dense'] as const;
// Some peers take their time on a busy machine.
const slowMs = 60_000;

describe('the workload', () => {
  it('is the same for the same seed, and another for another', () => {
    const size = { cohorts: 100, events: 100, shape: 'selective' } as const;
    expect(workload(size, 3)).toEqual(workload(size, 3));
    expect(workload(size, 3)).not.toEqual(workload(size, 4));
  });

  it.each(shapes)('%s has as many valid definitions and chronological events as asked for', (shape) => {
    const { rules, events } = workload({ cohorts: 300, events: 2000, shape });
    expect(new Set(rules.map(({ id }) => id)).size).toBe(300);
    for (const rule of rules) expect(DefinitionCodec(definitionOf(rule))).toEqual([]);
    expect(new Set(rules.map(({ kind }) => kind))).toEqual(
      new Set(['count', 'sum', 'views', 'entered', 'combination']),
    );
    expect(events.map(({ time }) => time)).toEqual(events.map(({ time }) => time).sort((a, b) => a - b));
    expect(events).toHaveLength(2000);
    expect(new Set(events.map(({ name }) => name))).toEqual(
      new Set(['Pageview', 'PageviewEngagement', 'SlotViewable', 'SlotClicked', 'LinkClick']),
    );
  });

  it('has page events that meet few selective rules and many dense ones', () => {
    const share = (shape: 'selective' | 'dense'): number => {
      const { rules, events } = workload({ cohorts: 1000, events: 400, shape });
      const limit = new Limit(rules);
      const views = events.filter(({ name }) => name === 'Pageview');
      return views.reduce((sum, view) => sum + limit.match(view), 0) / views.length / rules.length;
    };
    expect(share('selective')).toBeLessThan(0.05);
    expect(share('dense')).toBeGreaterThan(2 * share('selective'));
  });
});

describe('the hand-made engine', () => {
  it.each(shapes)('holds the same memberships after every event as the engine, %s', (shape) => {
    const { rules, events } = workload({ cohorts: 300, events: 400, shape }, 7);
    const engine = start(rules.map(definitionOf));
    const limit = new Limit(rules);
    let changes = 0;
    for (const happened of events) {
      const { transitions, errors } = engine.process([happened], happened.time);
      expect(errors).toEqual([]);
      expect(limit.process(happened)).toBe(transitions.length);
      changes += transitions.length;
      expect(limit.memberIds()).toEqual(engine.members());
    }
    expect(changes).toBeGreaterThan(50);
  });
});

// Few enough words that random predicates and random events often meet.
const word = fc.constantFrom('red', 'blue', 'green', 'gold', 'art');
const words = (min: number, max: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(word, { minLength: min, maxLength: max });
const score = fc.integer({ min: 1, max: 9 }).map((tenths) => tenths / 10);
const pair = fc.tuple(word, word).map((parts) => parts.join('/'));

const leaf: fc.Arbitrary<Pred> = fc.oneof(
  words(1, 4).map((operands): Pred => ({ p: paths.keywords, in: operands })),
  words(2, 5).map((operands): Pred => ({ p: paths.keywords, in: operands, min: 2 })),
  fc
    .array(
      fc.oneof(
        word,
        fc.tuple(word, word).map((parts) => parts.join(' ')),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((operands): Pred => ({ p: paths.title, words: operands })),
  fc
    .array(fc.oneof(word, pair), { minLength: 1, maxLength: 3 })
    .map((operands): Pred => ({ p: paths.taxonomy, under: operands })),
  fc
    .array(fc.oneof(word, pair), { minLength: 1, maxLength: 3 })
    .map((operands): Pred => ({ p: paths.url, urlPath: operands })),
  words(1, 2).map((hosts): Pred => ({ p: paths.host, domain: hosts.map((host) => `${host}.example`) })),
  fc.tuple(words(1, 2), score).map(([labels, gte]): Pred => ({
    p: paths.label,
    any: {
      and: [
        { p: 'label', in: labels },
        { p: 'score', gte },
      ],
    },
  })),
  fc.integer({ min: 1, max: 60 }).map((gte): Pred => ({ p: 'total_engaged_time', gte })),
);
const group = (inner: fc.Arbitrary<Pred>): fc.Arbitrary<Pred> =>
  fc.oneof(
    inner,
    fc.array(inner, { minLength: 2, maxLength: 3 }).map((and): Pred => ({ and })),
    fc.array(inner, { minLength: 2, maxLength: 3 }).map((or): Pred => ({ or })),
  );
const pred = group(group(leaf));

const properties = fc.record(
  {
    article: fc.record(
      { keywords: words(0, 3), section: word, title: fc.array(word, { maxLength: 4 }).map((each) => each.join(' ')) },
      { requiredKeys: [] },
    ),
    classifications: fc.record(
      {
        taxonomy_labels: fc.array(pair, { maxLength: 2 }),
        categories: fc.array(fc.record({ label: word, score }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    client: fc.array(word, { maxLength: 3 }).map((parts) => ({ url: `https://www.paper.example/${parts.join('/')}` })),
    dest_url: word.map((each) => `https://www.${each}.example/offer`),
    total_engaged_time: fc.integer({ min: 0, max: 60 }),
  },
  { requiredKeys: [] },
);

describe('every subject', () => {
  const find = (wheres: readonly (Pred | undefined)[], happened: EngineEvent): Promise<(readonly number[])[]> => {
    const predicates = wheres.map((where) => ({ event: 'Pageview', where: where && canonicalPred(where) }));
    return Promise.all(
      subjects.map(async ({ prepare }) => {
        const { match, factsOf } = prepare(predicates);
        return [...(await match(happened, factsOf(happened)))].sort((a, b) => a - b);
      }),
    );
  };

  it(
    'finds the same matches',
    asyncLawOf(300)(fc.array(pred, { minLength: 1, maxLength: 4 }), properties, async (wheres, values) => {
      const [first, ...others] = await find([undefined, ...wheres], event('Pageview', t0, values));
      expect(first).toContain(0);
      for (const other of others) expect(other).toEqual(first);
    }),
    slowMs,
  );

  it(
    'finds the same matches in the workload',
    async () => {
      for (const shape of shapes) {
        const { rules, events } = workload({ cohorts: 80, events: 20, shape });
        const predicates = predicatesOf(rules);
        const found = await Promise.all(
          subjects.map(async ({ prepare }) => {
            const { match, factsOf } = prepare(predicates);
            const matches: (readonly number[])[] = [];
            for (const happened of events)
              matches.push([...(await match(happened, factsOf(happened)))].sort((a, b) => a - b));
            return matches;
          }),
        );
        expect(found[0]!.flat().length).toBeGreaterThan(5);
        for (const other of found) expect(other).toEqual(found[0]);
        const limit = new Limit(rules);
        expect(events.map((happened) => limit.match(happened))).toEqual(found[0]!.map(({ length }) => length));
      }
    },
    slowMs,
  );
});
