const firstMs = 1000;
const growth = 1.5;
const longestMs = 60_000;

/** The wait before repetition number `count` (1 is the first): 1 s, growing by half to a minute, less up to a fifth by `random` (0 to 1). */
export const backoffMs = (count: number, random: number): number => Math.min(longestMs, firstMs * growth ** (count - 1)) * (1 - random / 5);
