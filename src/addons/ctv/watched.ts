import { fold, sumOf } from '../../primitives/lists';

/** A part of a video that was watched, in ms from its beginning. */
type Stretch = readonly [from: number, to: number];

/** The parts of a video that were watched, in order and apart from each other. */
export type Watched = readonly Stretch[];

/** Places are read once a second, so parts that are closer to each other count as one. */
const joinMs = 1000;
/** Parts that are kept. A visitor who jumps about more often loses the shortest. */
const maxStretches = 100;

/** The parts with one more. A part that goes backwards adds nothing. */
export const withStretch = (watched: Watched, from: number, to: number): Watched => {
  if (to <= from) return watched;
  const sorted = [...watched, [from < joinMs ? 0 : from, to] as const].sort(([a], [b]) => a - b);
  const joined = fold<Stretch, readonly Stretch[]>(sorted, [], (apart, [start, end]) => {
    const last = apart.at(-1);
    if (last === undefined || start - last[1] >= joinMs) return [...apart, [start, end]];
    return [...apart.slice(0, -1), [last[0], Math.max(last[1], end)]];
  });
  if (joined.length <= maxStretches) return joined;
  const lengths = joined.map(([start, end]) => end - start);
  const shortest = lengths.indexOf(Math.min(...lengths));
  return joined.filter((_, i) => i !== shortest);
};

/** How much of a video was watched, from 0 to 1, to four digits. What was watched twice counts once. `duration`: ms. */
export const watchedShare = (watched: Watched, duration: number): number => {
  const ms = sumOf(watched, ([from, to]) => Math.max(0, Math.min(to, duration) - from));
  return Math.round((10_000 * Math.min(ms, duration)) / duration) / 10_000;
};
