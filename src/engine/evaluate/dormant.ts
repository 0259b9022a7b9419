import { isRecord } from '../../codecs/codecs';
import { json } from '../../hardening/plainJson';
import { mapItems } from '../../primitives/lists';
import type { EngineEvent } from '../engineEvent';
import { KeyFinder, type KeyTable } from '../index/keyFinder';
import { textsOf } from '../index/operandLeaf';
import { type PathReader, pathReader, type Subject } from '../index/paths';
import type { RestingQueries, WakingSource } from '../language/canonicalLanguage';
import { operandTags } from '../language/extraction';
import type { Id, Scalar } from '../language/language';

/**
 * Definitions that are neither read nor compiled before they are concerned. Most visitors meet a small part of a
 * project's cohorts, and a compiled query costs many times as much time and memory as its text. The build finds those
 * that may wait here (`publishedBundle`).
 */
export class Dormant {
  /** The numbers of the queries that are still here. */
  private readonly numbers: Map<Id, number>;
  private readonly sources: readonly Source[];
  private readonly found = new Set<number>();

  constructor(
    private readonly resting: RestingQueries = { ids: [], checksums: [], sources: [], definitions: [], places: [] },
    seed: number,
  ) {
    this.numbers = new Map(resting.ids.map((id, number) => [id, number]));
    this.sources = resting.sources.map((source) => new Source(source, seed, this.found));
  }

  get size(): number {
    return this.numbers.size;
  }

  has(id: Id): boolean {
    return this.numbers.has(id);
  }

  ids(): Iterable<Id> {
    return this.numbers.keys();
  }

  checksums(): readonly (readonly [id: Id, checksum: string])[] {
    const { checksums } = this.resting;
    return mapItems(this.numbers, ([id, number]) => [id, checksums[number] as string]);
  }

  /** The ids of the queries of which an event may meet a condition. */
  idsFor(event: EngineEvent): readonly Id[] {
    // Where no query rests, the keys of the event are not looked up.
    if (this.size === 0) return [];
    this.found.clear();
    const subject = { root: event.properties, event };
    for (const source of this.sources) source.run(event.name, subject);
    const { ids } = this.resting;
    return mapItems(this.found, (number) => ids[number] as Id).filter((id) => this.has(id));
  }

  /** Takes out a definition, which is still to be checked; undefined where there is none of that id. */
  take(id: Id): unknown {
    const number = this.numbers.get(id);
    if (number === undefined) return undefined;
    this.numbers.delete(id);
    const { checksums, definitions, places } = this.resting;
    const operands = this.sources.flatMap((source) => source.operandsFor(number));
    const definition = withOperands(json.parse(definitions[places[number] as number] as string), operands) as object;
    return { ...definition, id, checksum: checksums[number], canonical: true };
  }
}

/** Puts the operands of leaves in the place of the leaves' numbers. */
const withOperands = (value: unknown, operands: readonly (readonly Scalar[])[]): unknown => {
  if (Array.isArray(value)) return value.map((item) => withOperands(item, operands));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'number' && isOperandTag(key) ? operands[item] : withOperands(item, operands),
    ]),
  );
};

const isOperandTag = (key: string): boolean => (operandTags as readonly string[]).includes(key);

/** One source of keys, and who asks for each of them. */
class Source {
  private readonly read: PathReader;
  private readonly finder: KeyFinder<number>;
  /** Where the leaves of each key end in `askers`. */
  private readonly ends: Uint32Array;

  /** Adds the numbers of queries to `found`. */
  constructor(
    private readonly source: WakingSource,
    seed: number,
    found: Set<number>,
  ) {
    const { path, keys, counts, longest, askers, queries } = source;
    this.read = pathReader(path);
    let end = 0;
    const ends = (this.ends = new Uint32Array(mapItems(counts, (count) => (end += count))));
    this.finder = new KeyFinder(source, seed, longest, placesIn(keys), (key) => {
      for (let i = ends[key - 1] ?? 0; i < (ends[key] as number); i += 1)
        found.add(queries[askers[i] as number] as number);
    });
  }

  run(name: string, subject: Subject): void {
    const { events, fold } = this.source;
    if (events.includes(name)) this.finder.run(textsOf(this.read(subject), fold));
  }

  /** The operands of each leaf of a query: the keys that it asks for. */
  operandsFor(query: number): readonly (readonly Scalar[])[] {
    const { askers, keys, queries } = this.source;
    return placesOf(query, queries).map((leaf) =>
      placesOf(leaf, askers).map((place) => keys[this.keyAt(place)] as Scalar),
    );
  }

  /** The key to which a place in `askers` belongs. */
  private keyAt(place: number): number {
    const { ends } = this;
    return firstOf(ends.length, (key) => (ends[key] as number) > place);
  }
}

/** The places of keys in a list that the build has sorted. Such a table takes no time at the start and no memory. */
const placesIn = (sorted: readonly Scalar[]): KeyTable<number> => ({
  get: (key) => {
    const place = firstOf(sorted.length, (at) => (sorted[at] as Scalar) >= key);
    return sorted[place] === key ? place : undefined;
  },
  keys: () => sorted,
  values: () => sorted.keys(),
});

/** The first of `length` places that meets a condition, which all places after it meet too. */
const firstOf = (length: number, isMet: (place: number) => boolean): number => {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isMet(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Where a number is in a list. */
const placesOf = (number: number, list: readonly number[]): readonly number[] => {
  const places: number[] = [];
  for (let at = list.indexOf(number); at >= 0; at = list.indexOf(number, at + 1)) places.push(at);
  return places;
};
