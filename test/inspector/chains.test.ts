import { causesIn, chainTo, effectsIn } from '../../src/inspector/chains';
import type { LogEntry } from '../../src/inspector/logEntry';

const entry = (id: number, changes: Partial<LogEntry> = {}): LogEntry => ({
  id,
  t: id,
  lane: 'events',
  type: 'x',
  data: null,
  causes: [],
  ...changes,
});
const ids = (entries: readonly LogEntry[]): readonly number[] => entries.map(({ id }) => id);

describe('The chains of a log', () => {
  const call = entry(1, { lane: 'calls' });
  // The engine is told of the event before the event is noted.
  const told = entry(2, { lane: 'engine', data: { event: 'e' } });
  const event = entry(3, { data: { id: 'e' }, causes: [1] });
  const changed = entry(4, { lane: 'engine', causes: [2] });
  const request = entry(5, { lane: 'uploads', causes: [3, 4] });
  const log = [call, told, event, changed, request];

  it('go one hop each way', () => {
    expect(ids(causesIn(request, log))).toEqual([3, 4]);
    expect(ids(effectsIn(event, log))).toEqual([2, 5]);
    expect(causesIn(call, log)).toEqual([]);
  });

  it('lead to an entry from what began it', () => {
    expect(ids(chainTo(changed, log))).toEqual([1, 3, 2, 4]);
    expect(ids(chainTo(call, log))).toEqual([1]);
  });

  it('end where entries name each other', () => {
    const [a, b] = [entry(1, { causes: [2] }), entry(2, { causes: [1] })];
    expect(ids(chainTo(a, [a, b]))).toEqual([2, 1]);
  });
});
