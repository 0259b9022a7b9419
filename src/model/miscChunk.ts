import type { Json } from './json';

/** Local storage key of what has no chunk of its own: several parts of the SDK keep an entry each (contract: storage). */
const miscKey = 'permutive-data-misc';

export interface MiscDeps {
  readonly local: {
    readonly read: (key: string) => string | null;
    readonly write: (key: string, text: string) => unknown;
  };
  readonly json: Json;
}

const entries = ({ local, json }: MiscDeps): Readonly<Record<string, unknown>> => {
  const stored = json.parse(local.read(miscKey) ?? '{}');
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? (stored as Record<string, unknown>) : {};
};

/** The entry of that name; null where there is none. */
export const readMisc = (name: string, deps: MiscDeps): unknown => {
  const stored = entries(deps);
  return Object.hasOwn(stored, name) ? stored[name] : null;
};

/** Writes one entry. The others are read again for it: other parts, and other tabs, keep theirs there too. */
export const writeMisc = (name: string, value: unknown, deps: MiscDeps): void => {
  deps.local.write(miscKey, deps.json.stringify({ ...entries(deps), [name]: value }));
};
