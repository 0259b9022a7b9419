import { differences, type ReplayOutcome } from '../../src/inspector/replay/outcomes';

const upload = (type: string, event: string, properties: unknown = {}): ReplayOutcome => ({
  lane: 'uploads',
  type,
  event,
  properties,
});
const entry: ReplayOutcome = { lane: 'transitions', type: 'entry', cohort: '5' };

describe('The differences of a replay', () => {
  it('are none where the same has happened in another order, with other ids', () => {
    const [log, replay] = [
      [entry, upload('A', '1'), upload('B', '2')],
      [upload('B', '1'), upload('A', '2'), entry],
    ];
    expect(differences(log, replay)).toEqual([]);
  });

  it('name what has happened less often, or with other properties, in the order of the log', () => {
    const log = [upload('A', '1'), upload('A', '2'), upload('B', '3', { n: 1 })];
    const replay = [upload('A', '1'), upload('B', '3', { n: 2 }), entry];
    expect(differences(log, replay).map((text) => /^only in the (log|replay): .*?"type":"(\w+)"/.exec(text)?.slice(1)))
      // A place of its own in each list.
      .toEqual([
        ['log', 'A'],
        ['replay', 'B'],
        ['log', 'B'],
        ['replay', 'entry'],
      ]);
  });
});
