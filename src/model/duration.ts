/** A minute in ms. */
export const minuteMs = 60_000;
/** An hour in ms. */
export const hourMs = 3_600_000;
/** A day of 24 hours in ms, for times in UTC. */
export const dayMs = 86_400_000;
/** A week of 7 such days in ms. */
export const weekMs = 604_800_000;

/**
 * Whether a time is less than so long ago. What is no number does not count. Nor does a time in the future: it is of a
 * clock that was set back.
 */
export const isWithin = (time: unknown, ms: number, now: number): boolean =>
  typeof time === 'number' && time <= now && now - time < ms;
