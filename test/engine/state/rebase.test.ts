import { init } from '../../../src/engine/engine';
import { dayMs } from '../../../src/primitives/duration';
import { definitions, event, inputOf, start, stored, t0 } from '../support/run';

describe('A query that another tab, with other definitions, has stored under its id', () => {
  const mine = definitions({ event: 'A', is: { gte: 9 } }, { event: 'A', within: { days: 7 }, is: { gte: 9 } });
  const theirs = [...definitions({ event: 'B' }), ...mine.slice(1)];
  const events = [1, 2, 3].map((i) => event('A', t0 + i));
  const countOf = (engine: ReturnType<typeof start>, id: string): number | undefined =>
    engine.parts.machine.catalogue.queries.get(id)?.cells.own[0]?.at(-1);

  /** A tab has counted two events and stored them, another tab has stored over it, and the first counts a third. */
  const rebased = () => {
    const engine = start(mine);
    engine.process(events.slice(0, 2), t0 + 2);
    const other = init(inputOf(theirs, { state: stored(engine) }));
    other.bootstrap();
    other.replay(events.slice(0, 2));
    engine.process(events.slice(2), t0 + 3);
    const report = engine.rebase(stored(other), { events: events.slice(2), appended: 0 }, t0 + 3);
    return { engine, report };
  };

  it('goes on counting in memory, beside the others', () => {
    const { engine, report } = rebased();
    expect([countOf(engine, '1'), countOf(engine, '2'), report.errors]).toEqual([3, 3, []]);
    engine.process([event('A', t0 + 4)], t0 + 4);
    expect([countOf(engine, '1'), countOf(engine, '2')]).toEqual([4, 4]);
  });

  it('is left out of the next chunk, which does not pass for complete', () => {
    const chunk = rebased().engine.snapshot();
    expect(Object.keys(chunk.internal_query_states)).toEqual(['2']);
    expect(chunk.bundle_checksum).toBe('');
  });

  it('is rebuilt by the next page, from the cached events, beside what is stored', () => {
    const next = init(inputOf(mine, { state: stored(rebased().engine), now: t0 + dayMs }));
    next.bootstrap();
    next.replay(events);
    expect([countOf(next, '1'), countOf(next, '2')]).toEqual([3, 3]);
    expect(Object.keys(next.snapshot().internal_query_states)).toEqual(['1', '2']);
  });
});
