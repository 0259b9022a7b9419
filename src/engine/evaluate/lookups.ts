import { json } from '../../hardening/plainJson';
import type { LookupName, ProviderTest, Scalar } from '../language/language';
import { h53 } from '../language/murmur';
import { scalarText } from '../language/text';

/**
 * The data that the host provides. A lookup is provided; or pending, and its queries are held; or absent, and its
 * queries fail when they are evaluated.
 */
export class Lookups {
  private readonly values = new Map<LookupName, unknown>();
  private readonly pending: Set<LookupName>;

  constructor(
    given: Partial<Record<LookupName, unknown>>,
    pending: readonly LookupName[],
    private readonly seed: number,
  ) {
    this.pending = new Set(pending);
    // A value that is there already wins over being pending.
    for (const [name, value] of dataOf(given)) this.provide(name, value);
  }

  /** Sets a value, in place of an older one, and ends the waiting for it. With null, another value is awaited. */
  provide(name: LookupName, value: unknown): void {
    if (value === null) {
      this.pending.add(name);
      return;
    }
    this.pending.delete(name);
    this.values.set(name, name === 'thirdParty' || name === 'secondParty' ? providersOf(value) : value);
  }

  /** Whether the value is still to come. */
  isPending(name: LookupName): boolean {
    return this.pending.has(name);
  }

  /** Whether an event of this name waits for third-party data, which is still to come (spec S§4). */
  postpones(name: string): boolean {
    return thirdPartyEvents.has(name) && this.isPending('thirdParty');
  }

  /** Whether the value can be read. */
  has(name: LookupName): boolean {
    return this.values.has(name);
  }

  /** The value of a lookup. Throws when it has not been provided (spec S§5). */
  value(name: LookupName): unknown {
    if (!this.values.has(name)) throw new Error(`${name} lookup has not been provided`);
    return this.values.get(name);
  }

  /** The segment ids that each provider has for the user. Throws when the segment ids have not been provided. */
  providers(name: 'thirdParty' | 'secondParty'): Providers {
    return this.value(name) as Providers;
  }

  /**
   * The ids that a test asks for and the provider has, as they were given. Throws when the data has not been provided.
   */
  matches(
    name: 'thirdParty' | 'secondParty',
    { provider, in: wanted, hashed = false }: ProviderTest,
  ): readonly string[] {
    const owned = this.providers(name).get(provider);
    if (owned === undefined) return [];
    // Ids are compared as text, so that 123 is the same as "123". Hashed ones are compared as numbers.
    const isWanted = new Set<Scalar>(hashed ? wanted : wanted.map(String));
    return [...owned].filter(([text]) => isWanted.has(hashed ? h53(text, this.seed) : text)).map(([, id]) => id);
  }
}

const thirdPartyEvents: ReadonlySet<string> = new Set(['ThirdPartySegments', 'UpdateThirdPartyData']);

/** By provider, the ids in the form in which they are compared, and as they were given. */
export type Providers = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** All lookups, in the order in which they are read at the start. */
export const lookupNames: readonly LookupName[] = [
  'geo',
  'client',
  'user',
  'classification',
  'thirdParty',
  'secondParty',
  'lookalike',
];

/** The data of a patch. A lookup that the patch does not have, or has as undefined, keeps its value. */
export const dataOf = (
  patch: Partial<Record<LookupName, unknown>>,
): readonly (readonly [name: LookupName, value: unknown])[] =>
  lookupNames
    .filter((name) => Object.hasOwn(patch, name) && patch[name] !== undefined)
    .map((name) => [name, patch[name]]);

/** Names the data of a third party, to notice that it changed. The order of providers and ids does not matter. */
export const providersHash = (providers: Providers): string => {
  const sorted = [...providers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([provider, ids]) => `${json.stringify(provider)}:${json.stringify([...new Set(ids.values())].sort())}`);
  return h53(`{${sorted.join(',')}}`, 0).toString(36);
};

/** Brings what the host provides into the form that tests read. What is no object, or no list, counts as empty. */
const providersOf = (value: unknown): Providers => {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(entries.map(([provider, ids]) => [provider, lookupIds(ids)]));
};

/** The ids under their normalised texts. What is neither a string nor a finite number is left out. */
const lookupIds = (ids: unknown): ReadonlyMap<string, string> => {
  const byText = new Map<string, string>();
  for (const id of Array.isArray(ids) ? (ids as readonly unknown[]) : []) {
    const text = scalarText(id);
    if (text !== null) byText.set(text, String(id));
  }
  return byText;
};
