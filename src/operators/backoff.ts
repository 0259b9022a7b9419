/** The first repetitions come soon, so that a short outage costs little; later ones are patient with a long one. */
const firstMs = 1000;
const earlyMs = 2500;
const earlyCount = 5;
const usualGrowth = 1.5;
const longestBackoffMs = 60_000;

/**
 * The wait before repetition number `count` (1 is the first), in ms, less up to a fifth by `random` (0 to 1): 1 s, then
 * 2.5 s for the first ten seconds or so, then growing by half up to a minute. The waits make at most 6 requests in 10
 * s, and 30 in 10 minutes. With a `growth` of its own, it grows from the second repetition on.
 */
export const backoffMs = (count: number, random: number, growth?: number): number => {
  const grown = (growth ?? usualGrowth) ** Math.max(0, count - (growth === undefined ? earlyCount : 2));
  return (count <= 1 ? firstMs : Math.min(longestBackoffMs, earlyMs * grown)) * (1 - random / 5);
};
