import type { Json } from './json';

/** Local storage key of what several parts of the SDK remember side by side (spec C§3). */
const miscKey = 'permutive-data-misc';

interface Texts {
  readonly read: (key: string) => string | null;
  readonly write: (key: string, text: string) => unknown;
}

export interface MiscDeps {
  readonly local: Texts;
  readonly json: Json;
}

type Misc = Readonly<Record<string, unknown>>;

/** All of it; empty where nothing is stored, or what is stored is no object. */
export const readMisc = ({ local, json }: MiscDeps): Misc => {
  const stored = json.parse(local.read(miscKey) ?? '{}');
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? (stored as Misc) : {};
};

/** Writes one entry, and leaves the others as they are at this moment. */
export const writeMisc = (name: string, value: unknown, deps: MiscDeps): void => {
  deps.local.write(miscKey, deps.json.stringify({ ...readMisc(deps), [name]: value }));
};
