import { type Json, NoJson } from '../model/json';
import type { TextStorage } from '../platform/platform';

export interface MiscChunkDeps {
  readonly local: TextStorage;
  readonly json: Json;
}

const key = 'permutive-data-misc';

/** The misc chunk of the local data store: small notes by name (spec C§3). What is no object counts as empty. */
const readChunk = ({ local, json }: MiscChunkDeps): Readonly<Record<string, unknown>> => {
  const chunk = json.parse(local.read(key) ?? '{}');
  return chunk !== NoJson && typeof chunk === 'object' && !Array.isArray(chunk) ? (chunk as Readonly<Record<string, unknown>>) : {};
};

export const readMisc = (name: string, deps: MiscChunkDeps): unknown => readChunk(deps)[name];

/** Changes one note. The others are read again, for addons and other tabs write theirs. */
export const writeMisc = (name: string, value: unknown, deps: MiscChunkDeps): void =>
  void deps.local.write(key, deps.json.stringify({ ...readChunk(deps), [name]: value }));
