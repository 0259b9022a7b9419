/** A minute in ms. */
export const minuteMs = 60_000;
/** An hour in ms. */
export const hourMs = 3_600_000;
/** A day of 24 hours in ms, for times in UTC. */
export const dayMs = 86_400_000;
