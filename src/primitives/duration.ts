/** A minute in ms. */
export const minuteMs = 60_000;
/** An hour in ms. */
export const hourMs = 3_600_000;
/** A day of 24 hours in ms, for times in UTC. */
export const dayMs = 86_400_000;
/** After a request that has failed, nobody asks for its answer again for so long, on any page, in ms (spec S§9). */
export const pauseMs = 600_000;
