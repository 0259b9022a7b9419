/** A minute in ms. */
export const minuteMs = 60_000;
/** An hour in ms. */
export const hourMs = 3_600_000;
/** A day of 24 hours in ms, for times in UTC. */
export const dayMs = 86_400_000;
/** A week of 7 such days in ms. */
export const weekMs = 604_800_000;
