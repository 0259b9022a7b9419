/** Milliseconds of an hour and of a day of 24 hours, for times that are ms since 1970 in UTC. */
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
