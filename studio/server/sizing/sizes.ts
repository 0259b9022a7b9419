import { withRead } from '../../../project/withRead';
import { published } from '../../../src/engine/language/canonical';
import type { Bundle, Definition, Id } from '../../../src/engine/language/language';
import { dayMs } from '../../../src/primitives/duration';
import type { Sized, SizeLine } from '../../protocol';
import { type EventTable, visitorsOf } from '../visits/eventTable';
import { type Divided, GroupCounts } from './groupCounts';
import type { Pool } from './pool';
import { type AllResult, dayCountOf, type Near, type SizeResult } from './tasks';

/** Visitors of one task: few, so that what is urgent comes soon. */
const sliceVisitors = 250;
/** An estimate is told once so many visitors are known, or after so long. In ms. */
const sampleVisitors = 2000;
const estimateMs = 1200;
/** How often progress is told, in ms. */
const progressMs = 200;

/** A definition with the cohorts that it reads, and those that these read, as an engine takes them. */
export const bundleFor = (definition: Definition, others: readonly Definition[]): Bundle => ({
  v: 1,
  id: 'studio',
  seed: 0,
  queries: withRead(definition, others).map(shipped),
});

/** A checksum that stands in a draft may be of an earlier condition. */
const shipped = ({ id, q, sub, canonical }: Definition): Definition =>
  published({ id, q, ...(sub && { sub }), ...(canonical && { canonical }) });

/** All visitors in an order that has nothing to do with them, always the same: its beginning is a sample. */
const shuffled = new WeakMap<EventTable, Int32Array>();
const shuffledVisitors = (table: EventTable): Int32Array => {
  const known = shuffled.get(table);
  if (known !== undefined) return known;
  const visitors = Int32Array.from({ length: visitorsOf(table) }, (_, i) => i);
  let seed = 1;
  for (let i = visitors.length - 1; i > 0; i--) {
    // xorshift32 (Marsaglia 2003)
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    const other = (seed >>> 0) % (i + 1);
    [visitors[i], visitors[other]] = [visitors[other]!, visitors[i]!];
  }
  shuffled.set(table, visitors);
  return visitors;
};

const slicesOf = (visitors: Int32Array): readonly Int32Array[] =>
  Array.from({ length: Math.ceil(visitors.length / sliceVisitors) }, (_, i) =>
    visitors.slice(i * sliceVisitors, (i + 1) * sliceVisitors),
  );

/** By visitor, 1 where the visitor is in a cohort at the end of the visits. */
export type Membership = Uint8Array;

/**
 * The members of cohorts, each counted once. A cohort is known by its condition and those of the cohorts that it reads,
 * so that an edit of one cohort leaves the counts of the others.
 */
export class MembershipStore {
  private readonly known = new WeakMap<EventTable, Map<string, Promise<Membership>>>();

  constructor(private readonly pool: Pool) {}

  /** The members of all cohorts of a list. */
  async of(table: EventTable, definitions: readonly Definition[]): Promise<ReadonlyMap<Id, Membership>> {
    const known = this.known.get(table) ?? new Map<string, Promise<Membership>>();
    this.known.set(table, known);
    const keyed = definitions.map((definition) => ({ definition, bundle: bundleFor(definition, definitions) }));
    const keys = keyed.map(({ bundle }) => JSON.stringify(bundle.queries));
    const missing = keyed.filter((_, i) => !known.has(keys[i]!));
    if (missing.length > 0) {
      const counted = this.count(table, missing);
      for (const { definition, bundle } of missing) {
        const key = JSON.stringify(bundle.queries);
        const own = counted.then((all) => all.get(definition.id)!);
        own.catch(() => known.delete(key));
        known.set(key, own);
      }
    }
    const all = await Promise.all(keys.map((key) => known.get(key)!));
    return new Map(definitions.map(({ id }, i) => [id, all[i]!]));
  }

  private async count(
    table: EventTable,
    missing: readonly { readonly definition: Definition; readonly bundle: Bundle }[],
  ): Promise<ReadonlyMap<Id, Membership>> {
    const queries = [
      ...new Map(missing.flatMap((each) => each.bundle.queries.map((query) => [query.id, query]))).values(),
    ];
    const bundle: Bundle = { v: 1, id: 'studio', seed: 0, queries };
    const all = new Map(queries.map(({ id }) => [id, new Uint8Array(visitorsOf(table))]));
    await Promise.all(
      slicesOf(shuffledVisitors(table)).map(async (visitors) => {
        const { members } = (await this.pool.run(table, { type: 'all', bundle, visitors }, 2)) as AllResult;
        for (const [number, { id }] of queries.entries())
          for (const [i, visitor] of visitors.entries()) all.get(id)![visitor] = members[number]![i]!;
      }),
    );
    return all;
  }
}

/** Starts the threads and gives them the events, so that the first count need not wait for that. */
export const warm = async (pool: Pool, table: EventTable): Promise<void> => {
  const bundle: Bundle = { v: 1, id: 'studio', seed: 0, queries: [] };
  const task = { type: 'all', bundle, visitors: new Int32Array(0) } as const;
  await Promise.all([pool.run(table, task, 0), pool.run(table, task, 0)]);
};

/** A count of members that goes on. */
class Tally {
  readonly members: Membership;
  private visitors = 0;
  private count = 0;
  private readonly dayMembers: Int32Array;
  private readonly dayVisitors: Int32Array;
  private readonly groups: GroupCounts | undefined;
  events = 0;

  constructor(
    private readonly table: EventTable,
    divided?: Divided,
  ) {
    this.groups = divided && new GroupCounts(divided);
    this.members = new Uint8Array(visitorsOf(table));
    this.dayMembers = new Int32Array(dayCountOf(table));
    this.dayVisitors = new Int32Array(dayCountOf(table));
  }

  get looked(): number {
    return this.visitors;
  }

  take(visitors: Int32Array, result: SizeResult): void {
    const { starts } = this.table;
    for (const [i, visitor] of visitors.entries()) {
      this.members[visitor] = result.members[i]!;
      this.count += result.members[i]!;
      this.groups?.add(visitor, result.members[i] === 1);
      this.events += starts[visitor + 1]! - starts[visitor]!;
    }
    this.visitors += visitors.length;
    for (let day = 0; day < this.dayMembers.length; day++) {
      this.dayMembers[day]! += result.dayMembers[day]!;
      this.dayVisitors[day]! += result.dayVisitors[day]!;
    }
  }

  /** What is known, scaled to all visitors. */
  sized(): Omit<Sized, 'overlaps'> {
    const all = visitorsOf(this.table);
    const scale = all / Math.max(1, this.visitors);
    const scaled = (count: number): number => Math.round(count * scale);
    const first = Math.floor(this.table.from / dayMs);
    return {
      visitors: all,
      members: scaled(this.count),
      days: Array.from(this.dayMembers, (members, day) => ({
        day: new Date((first + day) * dayMs).toISOString().slice(0, 10),
        visitors: scaled(this.dayVisitors[day]!),
        members: scaled(members),
      })),
      experiment: this.groups?.sizes(scaled),
    };
  }

  /** Half the width of the 95 % interval of the members of all visitors. */
  error(): number {
    return intervalOf(this.count, this.visitors, visitorsOf(this.table));
  }
}

/**
 * Half the width of the 95 % interval of a count in a population, after `hits` of `sample` were counted: Wilson's
 * interval, which is no point where there are no hits, narrowed by the correction for samples of a finite population.
 */
export const intervalOf = (hits: number, sample: number, population: number): number => {
  if (sample === 0) return population;
  const z = 1.96;
  const share = hits / sample;
  const wilson = (z / (1 + z ** 2 / sample)) * Math.sqrt((share * (1 - share)) / sample + z ** 2 / (4 * sample ** 2));
  const finite = population <= 1 ? 0 : Math.sqrt((population - sample) / (population - 1));
  return Math.ceil(wilson * finite * population);
};

/** A value after a moment that one who waits does not notice. */
const soon = <Value>(value: Value): Promise<Value> => new Promise((done) => setTimeout(() => done(value), 50));

/** What a count needs to know. */
export interface SizeOrder {
  readonly table: EventTable;
  readonly bundle: Bundle;
  readonly id: Id;
  /** The members of other cohorts, computed once for all counts. */
  readonly others: () => Promise<ReadonlyMap<Id, Membership>>;
  /** How an experiment that is about the cohort divides the visitors; undefined where there is none. */
  readonly divided: Divided | undefined;
}

/** Counts the members of a cohort: an estimate from a sample, progress, and the count. */
export const sizeLines = async (
  pool: Pool,
  { table, bundle, id, others, divided }: SizeOrder,
  write: (line: SizeLine) => void,
  stop: AbortSignal,
): Promise<Membership> => {
  const began = performance.now();
  const tally = new Tally(table, divided);
  const state = { isEstimated: false, told: 0 };
  const tell = (): void => {
    const ms = performance.now() - began;
    if (!state.isEstimated && tally.looked > 0 && (tally.looked >= sampleVisitors || ms > estimateMs)) {
      state.isEstimated = true;
      write({ type: 'estimate', error: tally.error(), ...tally.sized(), overlaps: undefined });
    }
    if (!state.isEstimated || ms - state.told < progressMs) return;
    state.told = ms;
    write({ type: 'progress', events: tally.events, of: table.order.length });
  };
  const slices = slicesOf(shuffledVisitors(table));
  await Promise.all(
    slices.map(async (visitors, i) => {
      // The sample comes before the counts that others have begun.
      const priority = i * sliceVisitors < sampleVisitors ? 0 : 1;
      const result = await pool.run(table, { type: 'size', bundle, id, visitors }, priority, stop);
      tally.take(visitors, result as SizeResult);
      tell();
    }),
  );
  if (!state.isEstimated) write({ type: 'estimate', error: tally.error(), ...tally.sized(), overlaps: undefined });
  write({ type: 'progress', events: tally.events, of: table.order.length });
  const ms = Math.round(performance.now() - began);
  const counting = others();
  // The other cohorts of a file are counted once, which may take longer. What is known is told before.
  const known = await Promise.race([counting, soon(undefined)]);
  if (known === undefined) write({ type: 'sized', ms, ...tally.sized(), overlaps: undefined });
  const overlaps = overlapsOf(id, tally.members, known ?? (await counting));
  write({ type: 'sized', ms, ...tally.sized(), overlaps });
  return tally.members;
};

const overlapsOf = (id: Id, own: Membership, others: ReadonlyMap<Id, Membership>): Sized['overlaps'] =>
  [...others]
    .filter(([other]) => other !== id)
    .map(([other, members]) => {
      let [count, both] = [0, 0];
      for (let i = 0; i < own.length; i++) {
        count += members[i]!;
        both += members[i]! & own[i]!;
      }
      return { id: other, members: count, both };
    })
    .filter(({ both }) => both > 0)
    .sort((a, b) => b.both - a.both || (a.id < b.id ? -1 : 1));

/** The members of one cohort alone. */
export const membersOf = async (pool: Pool, table: EventTable, bundle: Bundle, id: Id): Promise<Membership> => {
  const tally = new Tally(table);
  await Promise.all(
    slicesOf(shuffledVisitors(table)).map(async (visitors) =>
      tally.take(visitors, (await pool.run(table, { type: 'size', bundle, id, visitors }, 1)) as SizeResult),
    ),
  );
  return tally.members;
};

/** Visitors of a list who are or are not in a cohort, in an order that has nothing to do with them. */
export const someOf = (table: EventTable, members: Membership, isMember: boolean): Int32Array =>
  shuffledVisitors(table).filter((visitor) => (members[visitor] === 1) === isMember);

/** Of some visitors those who are nearest to a cohort. */
export const nearestOf = async (
  pool: Pool,
  { table, bundle, id }: Pick<SizeOrder, 'table' | 'bundle' | 'id'>,
  visitors: Int32Array,
  limit: number,
): Promise<readonly Near[]> => {
  const found = await Promise.all(
    slicesOf(visitors).map(async (slice) => {
      const task = { type: 'near', bundle, id, visitors: slice, limit } as const;
      return ((await pool.run(table, task, 1)) as { readonly near: readonly Near[] }).near;
    }),
  );
  return found
    .flat()
    .sort((a, b) => a.distance - b.distance || a.visitor - b.visitor)
    .slice(0, limit);
};
