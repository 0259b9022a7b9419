import type { Json } from './json';
import { localKeys } from './storageKeys';

/**
 * Local storage key of what has no chunk of its own: several parts of the SDK keep an entry each (contract: storage).
 */
const notesKey = localKeys.notes;

export interface NotesDeps {
  readonly local: {
    readonly read: (key: string) => string | null;
    readonly write: (key: string, text: string) => unknown;
  };
  readonly json: Json;
}

const entries = ({ local, json }: NotesDeps): Readonly<Record<string, unknown>> => {
  const stored = json.parse(local.read(notesKey) ?? '{}');
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored)
    ? (stored as Record<string, unknown>)
    : {};
};

/** The entry of that name; null where there is none. */
export const readNote = (name: string, deps: NotesDeps): unknown => {
  const stored = entries(deps);
  return Object.hasOwn(stored, name) ? stored[name] : null;
};

/** Writes one entry. The others are read again for it: other parts, and other tabs, keep theirs there too. */
export const writeNote = (name: string, value: unknown, deps: NotesDeps): void => {
  deps.local.write(notesKey, deps.json.stringify({ ...entries(deps), [name]: value }));
};
