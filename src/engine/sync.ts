import { isLeft } from 'fp-ts/Either';
import { decode } from '../model/decode';
import { NoJson } from '../model/json';
import { json } from '../model/plainJson';
import { decodeCells } from './cellCodec';
import { bottom, type Component } from './cells/cell';
import { type QueriesChunk, type StoredChunk, type StoredState, wireState } from './chunk';
import { isRecord, open, shape, value } from './codecs';
import type { Id } from './language';
import type { Machine, Turn } from './machine';
import { readCells } from './migration';
import { bottomCells, isBottom, type Query } from './query';
import { compacted, wireQuery } from './storage';

/** What a delta was made of; handed back when the server has confirmed it. */
export interface DeltaToken {
  readonly sent: ReadonlyMap<Query, readonly Component[]>;
}

export interface Delta {
  /** The text to send as `state`. */
  readonly state: string;
  readonly token: DeltaToken;
}

// A device may be a day ahead of this one; a bucket later than that is a wrong clock.
const futureMs = 86_400_000;

/**
 * Exchanges components with the other sources of the user. What arrives is joined, so that it may come late,
 * twice or in any order.
 */
export class Sync {
  private readonly acked = new Map<Query, readonly Component[]>();
  private readonly external = new Map<string, Map<Query, readonly Component[]>>();

  constructor(
    private readonly machine: Machine,
    private readonly source: string,
  ) {}

  /** Takes over what was stored about a query that has just been added. */
  restore(query: Query, chunk: StoredChunk): void {
    const isConfirmed = chunk.version === 2 && !chunk.unsynced.has(query.id);
    if (isConfirmed) this.acked.set(query, query.cells.own);
    else if (!isBottom(query.cells.own)) query.isUnsynced = true;
    for (const [source, states] of chunk.external) {
      const state = states.get(query.id);
      const isOurs = chunk.version === 1 || state?.checksum === query.checksum;
      const components = state !== undefined && isOurs ? readCells(query, state.cells, chunk.version) : null;
      if (components !== null) this.join(source, query, components);
    }
  }

  /** What the server lacks, or everything; null when there is nothing to send. */
  delta(full: boolean): Delta | null {
    try {
      return this.compute(full);
    } catch {
      throw new Error('Failed to compute delta for state sync.');
    }
  }

  ack({ sent }: DeltaToken): void {
    for (const [query, own] of sent) {
      this.acked.set(query, own);
      if (query.cells.own === own) query.isUnsynced = false;
    }
  }

  /** Joins the answer of the server. Throws a decode error when it is malformed, and then joins nothing. */
  receive(stateJson: string, turn: Turn): void {
    const { s: sources } = parse(stateJson);
    const limit = this.machine.present.now + futureMs;
    for (const [source, states] of Object.entries(sources ?? {})) {
      if (source === this.source) continue;
      for (const [id, wire] of Object.entries(states)) this.receiveOne(source, id, { wire, limit, turn });
    }
  }

  /** Joins what another tab has stored of other sources. */
  receiveStored(chunk: StoredChunk, turn: Turn): void {
    for (const [source, states] of chunk.external)
      for (const [id, { checksum, cells }] of states) {
        const query = this.machine.catalogue.queries.get(id);
        const components = query?.checksum === checksum ? decodeCells(query.specs, cells) : null;
        if (query !== undefined && components !== null && this.join(source, query, components)) turn.touch(query);
      }
  }

  /** The components of other sources, for the store; what no longer counts is dropped. */
  write(): QueriesChunk['external_query_states'] {
    const { now } = this.machine.present;
    const sources = Array.from(this.external, ([source, states]) => {
      const entries = Array.from(states, ([query, components]) => [query, compacted(query, components, now)] as const).filter(([, components]) => !isBottom(components));
      return [source, Object.fromEntries(entries.map(([query, components]) => [query.id, wireQuery(query, components)] as const))] as const;
    });
    return Object.fromEntries(sources.filter(([, states]) => Object.keys(states).length > 0));
  }

  private compute(full: boolean): Delta | null {
    const sent = new Map<Query, readonly Component[]>();
    const entries: [Id, unknown][] = [];
    for (const query of this.machine.catalogue.queries.values()) {
      if (!full && !query.isUnsynced) continue;
      const { own } = query.cells;
      const base = full ? bottomCells(query.specs) : (this.acked.get(query) ?? bottomCells(query.specs));
      const news = query.specs.map((spec, i) => spec.kind.delta(spec, base[i] ?? bottom, own[i] ?? bottom));
      sent.set(query, own);
      if (!isBottom(news)) entries.push([query.id, wireQuery(query, news)]);
      // Session and view cells stay here: their changes are no news.
      else if (!full) query.isUnsynced = false;
    }
    return entries.length === 0 && !full ? null : { state: json.stringify({ v: 2, q: Object.fromEntries(entries) }), token: { sent } };
  }

  private receiveOne(source: string, id: Id, { wire, limit, turn }: { readonly wire: unknown; readonly limit: number; readonly turn: Turn }): void {
    const query = this.machine.catalogue.queries.get(id);
    const state: StoredState | null = wireState(wire);
    if (query === undefined || state?.checksum !== query.checksum) return;
    const decoded = decodeCells(query.specs, state.cells);
    const components = decoded?.map((component, i) => query.specs[i]?.kind.notAfter(query.specs[i], component, limit) ?? bottom);
    if (components === undefined || !this.join(source, query, components)) return;
    turn.dirty.add(query);
    turn.findings.changed(query);
  }

  /** Answers whether it brought anything new. */
  private join(source: string, query: Query, components: readonly Component[]): boolean {
    const states = this.external.get(source) ?? new Map<Query, readonly Component[]>();
    this.external.set(source, states);
    const before = states.get(query) ?? bottomCells(query.specs);
    const after = query.specs.map((spec, i) => spec.kind.join(spec, before[i] ?? bottom, components[i] ?? bottom));
    if (after.every((component, i) => sameComponent(component, before[i] ?? bottom))) return false;
    states.set(query, after);
    query.cells.others = query.specs.map((_, i) => this.componentsOf(query, i));
    return true;
  }

  private componentsOf(query: Query, cell: number): readonly Component[] {
    return Array.from(this.external.values(), (states) => states.get(query)?.[cell] ?? bottom).filter((component) => component.length > 0);
  }
}

const sameComponent = (a: Component, b: Component): boolean => a === b || (a.length === b.length && a.every((value, i) => value === b[i]));

interface Answer {
  readonly v?: 2;
  readonly s?: Readonly<Record<string, Readonly<Record<Id, unknown>>>>;
}

const Answer = open<Answer>(
  'a state',
  shape(
    {},
    {
      v: value<2>('version 2', (input) => input === 2),
      s: value('sources with their queries', (input) => isRecord(input) && Object.values(input).every(isRecord)),
    },
  ),
);

const parse = (stateJson: string): Answer => {
  const decoded = decode(Answer)(parseJson(stateJson));
  if (isLeft(decoded)) throw decoded.left;
  return decoded.right;
};

const parseJson = (text: string): unknown => {
  const parsed = json.parse(text);
  if (parsed === NoJson) throw new Error('text that is not JSON');
  return parsed;
};
