/** Numbers as people read them. */
export const count = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
export const decimal = (value: number): string => fine.format(value);

/** A part of a whole in per cent; nothing where there is no whole. */
export const share = (part: number, whole: number): string =>
  whole > 0 ? `${fine.format((100 * part) / whole)} %` : '–';

/** A number with its noun. `plural`: where an s does not make it. */
export const counted = (number: number, noun: string, plural = `${noun}s`): string =>
  `${count.format(number)} ${number === 1 ? noun : plural}`;

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
/** A moment in UTC. */
export const momentText = (time: number): string => `${moment.format(time)} UTC`;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
/** The time of the day, as the person’s clock has it. */
export const clockText = (time: number): string => clock.format(time);
