import { dayMs } from '../../primitives/duration';
import { mapItems } from '../../primitives/lists';
import { bottom, type Component, sameComponent } from '../cells/cell';
import { decodeCells } from '../cells/cellCodec';
import type { Machine } from '../evaluate/machine';
import { bottomCells, isBottom, notAfter, type Query, type SentQuery } from '../evaluate/query';
import type { Turn } from '../evaluate/turn';
import type { DecodedChunk, ExternalStates } from './chunk';
import { readCells } from './migration';
import { compacted, wireQuery } from './storage';

/**
 * A source that has not been heard of for more days is dropped. No window is longer, so nothing of it counts in any,
 * and its life-time counts would otherwise be kept for ever.
 */
const forgottenAfterDays = 400;
/** A device may be a day ahead of this one. What it dates later comes from a wrong clock, and is left out. */
const aheadMs = dayMs;
/**
 * The most other sources. Each evaluation looks through all of them, so an answer that names more must not stall a
 * page.
 */
export const maxSources = 100;

/**
 * The components of the other sources of the user, and what the server knows of ours. What arrives is joined, so that
 * it may come late, twice or in any order. Each source writes its own components only, so that sources never have to
 * agree.
 */
export class Sync {
  /** Own components that the server has confirmed. A delta holds the difference to these components. */
  readonly acked = new Map<SentQuery, readonly Component[]>();
  /** Components of other sources, by source and query. */
  readonly external = new Map<string, Map<Query, readonly Component[]>>();

  /** The day on which another source was last heard of. */
  readonly seen = new Map<string, number>();

  constructor(
    private readonly machine: Machine,
    public source: string,
  ) {}

  /** Takes over what was stored about a query that has just been added. */
  restore(query: Query, chunk: DecodedChunk): void {
    const isConfirmed = chunk.version === 2 && !chunk.unsynced.has(query.id);
    // The loaded cells are the cells that were confirmed at the last save.
    if (isConfirmed) this.acked.set(query, query.cells.own);
    else if (!isBottom(query.cells.own)) query.isUnsynced = true;
    for (const [source, states] of chunk.external) {
      if (this.isForgotten(source, chunk)) continue;
      const state = states.get(query.id);
      // Version 1 named the checksum beside the counts of this source only. The same checksum applies to the counts of
      // all sources.
      const { checksum } = (chunk.version === 1 ? chunk.internal.get(query.id) : state) ?? {};
      const isOurs = checksum === query.checksum;
      const components = state !== undefined && isOurs ? readCells(query, state.cells, chunk.version) : null;
      if (components !== null) this.join(source, query, components);
    }
    this.layOut(query);
  }

  /**
   * Takes over what another tab has stored: its components of other sources are joined. Under another event source, the
   * server knows nothing of what this engine has counted.
   */
  rebase(chunk: DecodedChunk, turn: Turn): void {
    const changed = new Set<Query>();
    for (const query of this.machine.catalogue.queries.values())
      if (chunk.source !== this.source || chunk.unsynced.has(query.id)) query.isUnsynced = true;
    if (chunk.source !== this.source) this.acked.clear();
    this.source = chunk.source;
    for (const [source, states] of chunk.external) {
      if (this.isForgotten(source, chunk)) continue;
      for (const [id, { checksum, cells }] of states) {
        const query = this.machine.catalogue.queries.get(id);
        const components = query?.checksum === checksum ? decodeCells(query.specs, cells) : null;
        if (query !== undefined && components !== null && this.join(source, query, components)) changed.add(query);
      }
    }
    for (const query of changed) {
      this.layOut(query);
      turn.touch(query);
    }
  }

  /**
   * The components of other sources, for the store. What no longer counts is dropped, and sources of which nothing is
   * left.
   */
  write(): ExternalStates {
    const { now } = this.machine.present;
    const sources = mapItems(this.external, ([source, states]) => {
      const entries = mapItems(
        states,
        ([query, components]) => [query, compacted(query, components, now)] as const,
      ).filter(([, components]) => !isBottom(components));
      return [
        source,
        Object.fromEntries(entries.map(([query, components]) => [query.id, wireQuery(query, components)] as const)),
      ] as const;
    });
    const external = sources.filter(([, states]) => Object.keys(states).length > 0);
    const seen = external.map(([source]) => [source, this.seen.get(source) ?? this.today()] as const);
    return {
      external_query_states: Object.fromEntries(external),
      ...(seen.length > 0 && { external_seen: Object.fromEntries(seen) }),
    };
  }

  /** The present day, counted from 1970. */
  today(): number {
    return Math.floor(this.machine.present.now / dayMs);
  }

  /**
   * Whether a stored source has been silent for too long; if not, notes the day. One of which no day is known, or a day
   * to come, is taken as heard of today.
   */
  private isForgotten(source: string, { externalSeen }: DecodedChunk): boolean {
    const today = this.today();
    const day = Math.min(today, externalSeen.get(source) ?? today);
    if (today - day > forgottenAfterDays) return true;
    this.seen.set(source, Math.max(day, this.seen.get(source) ?? 0));
    return false;
  }

  /** Whether there is room for what a source has counted. */
  admits(source: string): boolean {
    return this.external.has(source) || this.external.size < maxSources;
  }

  /**
   * Joins components of another source, and answers whether they brought anything new. The caller lays the query out
   * once all sources are joined: to do it after each of them would take time by the square of their number.
   */
  join(source: string, query: Query, components: readonly Component[]): boolean {
    if (!this.admits(source)) return false;
    const states = this.external.get(source) ?? new Map<Query, readonly Component[]>();
    this.external.set(source, states);
    const before = states.get(query) ?? bottomCells(query.specs);
    const dated = notAfter(query, components, this.machine.present.now + aheadMs, false);
    const after = query.specs.map((spec, i) => spec.kind.join(spec, before[i] ?? bottom, dated[i] ?? bottom));
    if (after.every((component, i) => sameComponent(component, before[i] ?? bottom))) return false;
    states.set(query, after);
    return true;
  }

  /** Conditions read the components of other sources by cell. These components are laid out anew after each change. */
  layOut(query: Query): void {
    query.cells.others = query.specs.map((_, i) => this.componentsOf(query, i));
  }

  /** The components of all other sources for one cell, without those that are bottom. */
  private componentsOf(query: Query, cell: number): readonly Component[] {
    return mapItems(this.external.values(), (states) => states.get(query)?.[cell] ?? bottom).filter(
      (component) => component.length > 0,
    );
  }
}
