import { decodeChunk } from '../../../src/engine/state/chunk';
import { maxStateLength } from '../../../src/engine/state/exchange';
import { dayMs } from '../../../src/primitives/duration';
import { definitions, source, start, t0 } from '../support/run';

const queries = definitions({ event: 'Pageview', is: { gte: 3 } });
const checksumIn = (chunk: unknown): string => {
  const decoded = decodeChunk(chunk);
  if (decoded instanceof Error) throw decoded;
  return decoded.internal.get('1')!.checksum;
};
/** The checksum of the query, from a state in which something was counted. */
const checksum = (): string => {
  const engine = start(queries);
  engine.process([{ name: 'Pageview', time: t0, properties: {}, session_id: 's1', view_id: 'v1' }], t0);
  return checksumIn(engine.snapshot());
};

describe('sources of an answer of state sync', () => {
  it('are taken in up to a hundred', () => {
    const engine = start(queries);
    const sum = checksum();
    const s = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`source ${i}`, { 1: [sum, [1]] }]));
    const { errors } = engine.updateExternalState(JSON.stringify({ v: 2, s }), 1);
    expect(errors).toEqual([]);
    expect(engine.members()).toEqual(['1']);
    const { external_query_states: external, external_seen: seen } = engine.snapshot();
    expect([Object.keys(external).length, Object.keys(seen ?? {}).length]).toEqual([100, 100]);
  });
});

describe('a source beyond a hundred', () => {
  const answer = (from: number, count: number): string => {
    const entries = Array.from({ length: count }, (_, i) => [`source ${from + i}`, { 1: [checksum(), [1]] }]);
    return JSON.stringify({ v: 2, s: Object.fromEntries(entries) as unknown });
  };
  const sourcesOf = (engine: ReturnType<typeof start>): readonly string[] =>
    Object.keys(engine.snapshot().external_query_states);

  it('takes the place of the one that has not been heard of for longest', () => {
    const engine = start(queries);
    engine.updateExternalState(answer(0, 2), 1);
    engine.tick(t0 + dayMs);
    engine.updateExternalState(answer(2, 98), 2);
    engine.tick(t0 + 2 * dayMs);
    // Heard of again.
    engine.updateExternalState(answer(0, 1), 3);
    const { errors } = engine.updateExternalState(answer(100, 1), 4);
    expect(errors).toEqual([]);
    const sources = sourcesOf(engine);
    expect([sources.length, ...['source 0', 'source 1', 'source 100'].map((name) => sources.includes(name))]).toEqual([
      100,
      true,
      false,
      true,
    ]);
    expect(engine.members()).toEqual(['1']);
  });

  it('does not take the place of one that stands later in the same answer', () => {
    const engine = start(queries);
    engine.updateExternalState(answer(0, 100), 1);
    engine.tick(t0 + dayMs);
    const { s: fresh } = JSON.parse(answer(100, 3000)) as { s: object };
    const { s: known } = JSON.parse(answer(0, 1)) as { s: object };
    const { errors } = engine.updateExternalState(JSON.stringify({ v: 2, s: { ...fresh, ...known } }), 2);
    expect(errors).toEqual([]);
    const sources = sourcesOf(engine);
    expect([sources.length, sources.includes('source 0')]).toEqual([100, true]);
  });

  it('is left out where all were heard of today', () => {
    const engine = start(queries);
    engine.updateExternalState(answer(0, 101), 1);
    expect(sourcesOf(engine)).not.toContain('source 100');
  });
});

describe('an answer of state sync', () => {
  const answer = (): string => JSON.stringify({ v: 2, s: { other: { 1: [checksum(), [3]] } } });

  it('is read up to a million characters', () => {
    const engine = start(queries);
    expect(engine.updateExternalState(answer().padEnd(maxStateLength), 4).errors).toEqual([]);
    expect([engine.members(), engine.lastSeenOffset()]).toEqual([['1'], 4]);
  });

  it('changes nothing where it is longer', () => {
    const engine = start(queries);
    const { errors } = engine.updateExternalState(answer().padEnd(maxStateLength + 1), 4);
    expect(errors).toEqual(['Failed to parse State API response, got more than 1000000 characters']);
    expect([engine.members(), engine.lastSeenOffset()]).toEqual([[], 0]);
  });

  it('counts as a whole: other work between two of its steps sees nothing of it', () => {
    const engine = start(queries);
    const s = { first: { 1: [checksum(), [3]] }, second: { 1: [checksum(), [4]] } };
    const steps = engine.externalStateSteps(JSON.stringify({ v: 2, s }), 4);
    expect([steps.next().done, engine.tick(t0 + 1).transitions, engine.lastSeenOffset()]).toEqual([false, [], 0]);
    expect([steps.next().done, engine.tick(t0 + 2).transitions, engine.lastSeenOffset()]).toEqual([false, [], 0]);
    expect(steps.next()).toMatchObject({ done: true, value: { transitions: [{ id: '1' }], changed: ['1'] } });
    expect([engine.members(), engine.lastSeenOffset()]).toEqual([['1'], 4]);
  });
});

describe('states of other sources in a chunk of version 1', () => {
  const chunkOf = (sum: string) => ({
    migration_version: 1,
    'event-source-id': source,
    internal_query_states: { 1: { checksum: sum, state: [1], result: false, activations: [] } },
    external_query_states: { 1: { 'another source': [2] } },
  });

  it('are counted where the chunk is of the same definition', () => {
    expect(start(queries, { state: chunkOf(checksum()), now: t0 + dayMs }).members()).toEqual(['1']);
  });

  it('are dropped where it is of another one: they counted something else', () => {
    const engine = start(queries, { state: chunkOf('another'), now: t0 + dayMs });
    expect(engine.snapshot().external_query_states).toEqual({});
  });
});
