import fc from 'fast-check';

import { type Watched, watchedShare, withStretch } from '../../../src/addons/ctv/watched';
import { lawOf } from '../../support/laws';

const stretchesOf = (stretches: readonly (readonly [number, number])[]): Watched =>
  stretches.reduce<Watched>((watched, [from, to]) => withStretch(watched, from, to), []);

const stretch = fc.tuple(fc.integer({ min: 0, max: 600_000 }), fc.integer({ min: 0, max: 600_000 }));

describe('what was watched of a video', () => {
  it.each<readonly [string, readonly (readonly [number, number])[], number]>([
    ['nothing', [], 0],
    ['all of it', [[0, 100_000]], 1],
    ['more than there is', [[0, 900_000]], 1],
    ['from just after the beginning', [[300, 50_000]], 0.5],
    [
      'the same part twice',
      [
        [0, 20_000],
        [0, 20_000],
      ],
      0.2,
    ],
    [
      'parts that overlap',
      [
        [0, 20_000],
        [10_000, 30_000],
      ],
      0.3,
    ],
    [
      'a part inside another',
      [
        [0, 50_000],
        [10_000, 20_000],
      ],
      0.5,
    ],
    [
      'the end before the beginning',
      [
        [90_000, 100_000],
        [0, 10_000],
      ],
      0.2,
    ],
    [
      'parts that nearly touch',
      [
        [0, 10_000],
        [10_900, 20_000],
      ],
      0.2,
    ],
    [
      'parts apart',
      [
        [0, 10_000],
        [11_000, 20_000],
      ],
      0.19,
    ],
    ['backwards', [[20_000, 10_000]], 0],
  ])('%s', (_, stretches, share) => {
    expect(watchedShare(stretchesOf(stretches), 100_000)).toBe(share);
  });

  it(
    'is in order, apart, and bounded, whatever was watched',
    lawOf(100)(fc.array(stretch, { maxLength: 200 }), (stretches) => {
      const watched = stretchesOf(stretches);
      expect(watched.length).toBeLessThanOrEqual(100);
      watched.forEach(([from, to], i) => {
        expect(to).toBeGreaterThan(from);
        if (i > 0) expect(from - watched[i - 1]![1]).toBeGreaterThanOrEqual(1000);
      });
    }),
  );

  it(
    'never shrinks by watching on',
    lawOf(100)(fc.array(stretch, { maxLength: 50 }), stretch, (stretches, [from, to]) => {
      const before = stretchesOf(stretches);
      expect(watchedShare(withStretch(before, from, to), 600_000)).toBeGreaterThanOrEqual(
        watchedShare(before, 600_000),
      );
    }),
  );

  it('keeps the longest parts of a visitor who jumps about', () => {
    const jumps = Array.from({ length: 150 }, (_, i) => [i * 5000, i * 5000 + 1000 + i] as const);
    const watched = stretchesOf(jumps);
    expect(watched).toHaveLength(100);
    expect(watched.at(0)).toEqual([250_000, 251_050]);
  });
});
