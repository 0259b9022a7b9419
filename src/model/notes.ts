import { isRecord } from '../codecs/codecs';
import type { Json } from '../hardening/json';
import { ownEntry } from '../hardening/ownFields';
import { localKeys } from './storageKeys';

/** Local storage key of one JSON object in which several parts of the SDK keep an entry each (contract: storage). */
const notesKey = localKeys.notes;

/** Local storage, and JSON that the page cannot change. */
export interface NotesDeps {
  readonly local: {
    readonly read: (key: string) => string | null;
    readonly write: (key: string, text: string) => unknown;
  };
  readonly json: Json;
}

const entries = ({ local, json }: NotesDeps): Readonly<Record<string, unknown>> => {
  const stored = json.parse(local.read(notesKey) ?? '{}');
  return isRecord(stored) ? stored : {};
};

/** The entry of that name, undecoded; null where there is none. */
export const readNote = (name: string, deps: NotesDeps): unknown => {
  const stored = entries(deps);
  return ownEntry(stored, name) ?? null;
};

/** Writes one entry. The others are read again first, because other parts of the SDK and other tabs change them too. */
export const writeNote = (name: string, value: unknown, deps: NotesDeps): void => {
  deps.local.write(notesKey, deps.json.stringify({ ...entries(deps), [name]: value }));
};
