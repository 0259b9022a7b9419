import { isRecord } from '../../codecs/codecs';
import type { ConfigName } from '../../model/config';

/**
 * Numbers that a query parameter may change, each within these bounds. Times and sizes have a least value, because a
 * link that anybody has made must not empty the visitor's history nor repeat uploads. `orNone`: 0 or less means that
 * there is no limit, as in the settings, and so is within the bounds. A host, protocol, key or id can never be changed
 * in this way (spec C§5; docs/decisions/007-query-parameter-overrides.md).
 */
const numbers: Readonly<Partial<Record<ConfigName, readonly [min: number, max: number, orNone?: boolean]>>> = {
  eventsTTLInDays: [1, 400, true],
  eventsCacheLimitBytes: [500_000, 10_000_000, true],
  metricsSamplingPercentage: [0, 100],
  requestTimeout: [1000, 30_000],
  localStorageWriteDelay: [0, 30_000],
  localStorageWriteMaxDelay: [0, 30_000],
  prebidAuctionsRandomDownsamplingThreshold: [0, 1],
};
const booleans = ['loggingEnabled', 'tracingEnabled', 'inspector'] as const;

const parameterPrefix = '__permutive.';

/** Values of settings that replace those of the page, the project and the defaults. */
export type Overrides = Readonly<Partial<Record<ConfigName, number | boolean>>>;

/** Overrides of a page's query string: `?__permutive.NAME=VALUE`, and `?permutive_debug=true` for `loggingEnabled`. */
export const overridesFromQuery = (query: string): Overrides => {
  const given = new URLSearchParams(query);
  const debug = given.get('permutive_debug');
  return accepted((name) => given.get(parameterPrefix + name) ?? (name === 'loggingEnabled' ? debug : null));
};

/** Overrides that the tab has kept, checked again like those of an address. */
export const overridesFromStore = (stored: unknown): Overrides => {
  const record = isRecord(stored) ? stored : {};
  return accepted((name) =>
    Object.hasOwn(record, name) && (typeof record[name] === 'number' || typeof record[name] === 'boolean')
      ? String(record[name])
      : null,
  );
};

/**
 * The overrides among the texts that `read` finds by name. A flag is true for the text `true` only. A number is brought
 * within its bounds; text that is no number is ignored.
 */
const accepted = (read: (name: ConfigName) => string | null): Overrides => {
  const overrides: Partial<Record<ConfigName, number | boolean>> = {};
  for (const name of booleans) {
    const text = read(name);
    if (text !== null) overrides[name] = text === 'true';
  }
  type Bounds = readonly [min: number, max: number, orNone?: boolean];
  for (const [name, [min, max, orNone]] of Object.entries(numbers) as [ConfigName, Bounds][]) {
    const text = read(name);
    const number = text === null || text.trim() === '' ? NaN : Number(text);
    if (!Number.isNaN(number))
      overrides[name] = orNone === true && number <= 0 ? 0 : Math.min(max, Math.max(min, number));
  }
  return overrides;
};
