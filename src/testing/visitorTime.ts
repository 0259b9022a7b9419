import { dayMs, hourMs, minuteMs } from '../primitives/duration';
import { sumOf } from '../primitives/lists';

/** A time that passes: `3 days`, `{ days: 3 }`, or a number of ms. */
export type PassedTime = string | number | Readonly<Partial<Record<keyof typeof units, number>>>;

const units = { seconds: 1000, minutes: minuteMs, hours: hourMs, days: dayMs, weeks: 7 * dayMs } as const;

/** The time in ms. Throws where the text is no duration, or a time is below 0. */
export const passedMs = (given: PassedTime): number => {
  const ms =
    typeof given === 'number'
      ? given
      : typeof given === 'string'
        ? msOfText(given)
        : sumOf(Object.entries(given), ([unit, n]) => n * (unitOf(unit) ?? NaN));
  if (!Number.isFinite(ms) || ms < 0)
    throw new Error(`${JSON.stringify(given)} is no time: write it as '3 days', { days: 3 } or a number of ms`);
  return ms;
};

const msOfText = (text: string): number => {
  const [, n, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/.exec(text) ?? [];
  return Number(n) * (unitOf(unit) ?? unitOf(`${unit}s`) ?? NaN);
};

const unitOf = (name: string): number | undefined =>
  Object.hasOwn(units, name) ? units[name as keyof typeof units] : undefined;

/** A moment in ms since 1970. Throws where the date is none. */
export const momentOf = (date: string | number | Date): number => {
  const ms = new Date(date).getTime();
  if (Number.isNaN(ms)) throw new Error(`${String(date)} is no date`);
  return ms;
};
