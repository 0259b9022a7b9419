import { GroupCounts } from '../../../studio/server/sizing/groupCounts';

describe('GroupCounts', () => {
  it('makes counts of all visitors from those of a sample', () => {
    const groups = ['control', 'exposed', 'exposed', undefined] as const;
    const counts = new GroupCounts({ percent: 30, groupOf: (visitor) => groups[visitor] });
    groups.forEach((_, visitor) => counts.add(visitor, visitor < 2));
    expect(counts.sizes((count) => count * 10)).toEqual({
      percent: 30,
      control: { visitors: 10, members: 10 },
      exposed: { visitors: 20, members: 10 },
      unknown: 10,
    });
  });
});
