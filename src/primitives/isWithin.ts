/**
 * Whether a time is less than so long ago. What is no number does not count. Nor does a time in the future: it is of a
 * clock that was set back.
 */
export const isWithin = (time: unknown, ms: number, now: number): boolean =>
  typeof time === 'number' && time <= now && now - time < ms;
