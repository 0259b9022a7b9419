import { publishedBundle } from '../../bundle/publishedBundle';
import { createEngine } from '../../src/engine/cohortEngine';
import type { PageEngine } from '../../src/engine/engineInterface';
import { runToEnd } from '../../src/engine/evaluate/report';
import { published } from '../../src/engine/language/canonical';
import type { Definition, Pred } from '../../src/engine/language/language';
import { h53 } from '../../src/engine/language/murmur';
import { event, inputOf, source, t0 } from './support/run';

const bundleOf = (definitions: readonly Definition[]) =>
  publishedBundle({ v: 1, id: 'bundle', seed: 0, queries: definitions.map(published) });

const started = (definitions: readonly Definition[], state: unknown = null): PageEngine => {
  const engine = createEngine(inputOf([], { bundle: bundleOf(definitions), state }));
  runToEnd(engine.bootstrapSteps());
  runToEnd(engine.replaySteps([]));
  return engine;
};
const dormantIn = ({ parts }: PageEngine): readonly string[] => [...parts.machine.catalogue.dormant.ids()];

const asks = (where: Pred, name: string | readonly string[] = 'Pageview') => ({ event: name, where });

describe('A query at rest', () => {
  it.each<[string, ReturnType<typeof asks>, ReturnType<typeof event>, ReturnType<typeof event>]>([
    [
      'another key of the same path',
      asks({ p: 'kw', in: ['red', 'blue'] }),
      event('Pageview', t0, { kw: ['green', 'blue'] }),
      event('Pageview', t0, { kw: 'green' }),
    ],
    [
      'a key at another path',
      asks({ p: 'kw', in: ['red'] }),
      event('Pageview', t0, { kw: 'red' }),
      event('Pageview', t0, { section: 'red' }),
    ],
    [
      'an event of another name',
      asks({ p: 'kw', in: ['red'] }),
      event('Pageview', t0, { kw: 'red' }),
      event('LinkClick', t0, { kw: 'red' }),
    ],
    [
      'a part of a run of words',
      asks({ p: 'title', words: ['red light district'] }),
      event('Pageview', t0, { title: 'The red light district of Hamburg' }),
      event('Pageview', t0, { title: 'red light' }),
    ],
    [
      'another text around',
      asks({ p: 'title', contains: ['light'] }),
      event('Pageview', t0, { title: 'The lighthouse' }),
      event('Pageview', t0, { title: 'The house' }),
    ],
    [
      'a text of another hash',
      asks({ p: 'kw', words: [h53('red light', 0)], hashed: true, grams: 2 }),
      event('Pageview', t0, { kw: 'a red light' }),
      event('Pageview', t0, { kw: 'red' }),
    ],
    [
      'a number that is not asked for',
      asks({ p: 'n', in: [5, 'five'] }),
      event('Pageview', t0, { n: 5 }),
      event('Pageview', t0, { n: 6 }),
    ],
  ])('is not compiled for %s', (_, q, waking, other) => {
    // Another query has leaves of its own in the same table, and one has the same leaf for another event.
    const names = { ...q, event: 'ProductBuyClick' };
    const far = asks({
      or: [
        { p: 'kw', in: ['alpha'] },
        { p: 'title', words: ['omega'] },
      ],
    });
    const engine = started([
      { id: '3', q: far },
      { id: '1', q },
      { id: '2', q: names },
    ]);
    expect(dormantIn(engine)).toEqual(['3', '1', '2']);
    engine.process([other], t0);
    expect(dormantIn(engine)).toEqual(['3', '1', '2']);
    expect(engine.process([waking], t0).transitions.map(({ id }) => id)).toEqual(['1']);
    expect(dormantIn(engine)).toEqual(['3', '2']);
    expect(engine.members()).toEqual(['1']);
  });

  it('wakes for each of the events that it names', () => {
    const q = asks({ p: 'kw', in: ['red'] }, ['Pageview', 'LinkClick']);
    for (const name of ['Pageview', 'LinkClick'])
      expect(started([{ id: '1', q }]).process([event(name, t0, { kw: 'red' })], t0).transitions).toHaveLength(1);
  });

  it('is found inside texts beside those that were compiled earlier', () => {
    const engine = started(['red', 'blue'].map((word) => ({ id: word, q: asks({ p: 'title', contains: [word] }) })));
    for (const word of ['red', 'blue'])
      expect(engine.process([event('Pageview', t0, { title: `a ${word} house` })], t0).transitions).toMatchObject([
        { id: word },
      ]);
  });

  it('has the definition that was published, whatever stands beside its operands', () => {
    const definitions: readonly Definition[] = [
      {
        id: '1',
        q: {
          event: ['Pageview', 'LinkClick'],
          where: {
            and: [
              { p: 'kw', in: ['b', 'a', 7], min: 2 },
              { p: 'title', contains: ['x'] },
              { p: 'n', gte: 5 },
            ],
          },
          is: { gte: 2 },
          within: 86_400_000,
        },
        activations: { words: { trigger: 'OnEntry' } },
      },
      { id: '2', q: { not: { not: asks({ any: { p: 'label', in: ['a'] }, p: 'list' }) } } },
    ];
    const { dormant } = started(definitions).parts.machine.catalogue;
    expect(definitions.map(({ id }) => dormant.take(id))).toEqual(
      JSON.parse(JSON.stringify(definitions.map(published))),
    );
  });

  it.each([
    ['is there twice under one id', [asks({ p: 'kw', in: ['a'] }), asks({ p: 'kw', in: ['b'] })]],
    ['asks for no key', [{ event: 'Pageview' }]],
    ['holds without an event', [{ not: asks({ p: 'kw', in: ['a'] }) }]],
    ['compares its operands with a beginning', [asks({ p: 'kw', startsWith: ['a'] })]],
  ] satisfies readonly [string, readonly Definition['q'][]][])('is none that %s', (_, conditions) => {
    const { queries, resting } = bundleOf(conditions.map((q) => ({ id: '1', q })));
    expect([queries.length, resting?.ids]).toEqual([conditions.length, []]);
  });

  const counting: Definition = { id: '1', q: { ...asks({ p: 'kw', in: ['red'] }), is: { gte: 2 } } };
  const checksum = published(counting).checksum;
  /** What a page has stored that has counted one event. */
  const counted = (() => {
    const engine = started([counting]);
    engine.process([event('Pageview', t0, { kw: 'red' })], t0);
    return engine.snapshot();
  })();
  const state = counted.internal_query_states['1']!.state;
  const empty = { ...counted, internal_query_states: {}, unsynced: [] };

  it.each<[string, unknown, boolean]>([
    ['what this device has counted', { ...counted, unsynced: [] }, true],
    [
      'what another device has counted',
      { ...empty, external_query_states: { other: { '1': [checksum, state] } } },
      true,
    ],
    ['nothing, while its server knows another count', { ...empty, unsynced: ['1'] }, false],
    [
      'a state of an older version',
      {
        migration_version: 1,
        internal_query_states: { '1': { checksum, state, result: false, activations: [] } },
        external_query_states: {},
        'event-source-id': source,
      },
      true,
    ],
  ])('is compiled at the start where the store has %s', (_, chunk, hasCount) => {
    const engine = started([counting, { ...counting, id: '2' }], JSON.parse(JSON.stringify(chunk)));
    expect(dormantIn(engine)).not.toContain('1');
    engine.process([event('Pageview', t0 + 1, { kw: 'red' })], t0 + 1);
    expect(engine.members()).toEqual(hasCount ? ['1'] : []);
  });

  it('stays at rest where the store has nothing of it', () => {
    expect(dormantIn(started([counting], JSON.parse(JSON.stringify(empty))))).toEqual(['1']);
  });
});
