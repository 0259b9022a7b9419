import { dayMs, hourMs, minuteMs } from '../../primitives/duration';

/** Ms of each unit in which definitions may give a duration. */
export const unitMs = { seconds: 1000, minutes: minuteMs, hours: hourMs, days: dayMs, weeks: 7 * dayMs } as const;
