import { bottom, type Component, sameComponent } from '../cells/cell';
import { decodeCells } from '../cells/cellCodec';
import type { Machine, Turn } from '../evaluate/machine';
import { bottomCells, isBottom, type Query } from '../evaluate/query';
import { decodeChunk, type DecodedChunk, type StoredQueryState } from './chunk';

/** What a query was when this tab last knew the store: what the tab has counted itself is the difference. */
interface Base {
  readonly own: readonly Component[];
  readonly result: boolean;
}

/**
 * Tabs of one browser are one source and share one stored chunk. Before a tab overwrites the chunk, it appends to the
 * stored counts what it has counted itself since it knew the store (own minus base), so that none overwrites the counts
 * of another.
 * The engine is not told whether a write succeeded. So what was written becomes the base only when the store is seen to
 * contain it.
 */
export class Tabs {
  /** What is known to be in the store. */
  private base = new Map<Query, Base>();
  /** What was written last, and may be in the store. */
  private written = new Map<Query, Base>();
  /** The latest revision that was found in the store. */
  private seenRev: number;
  /** The revision of `written`. */
  private writtenRev: number;

  constructor(
    private readonly machine: Machine,
    private readonly source: string,
    rev: number,
  ) {
    this.seenRev = rev;
    this.writtenRev = rev;
  }

  /** Notes the state that a query was loaded with. */
  restore(query: Query): void {
    this.base.set(query, baseOf(query));
  }

  /** Notes what is being written. It is the new base once the store is seen to contain it. */
  onWrite(rev: number): void {
    this.written = new Map(Array.from(this.machine.catalogue.queries.values(), (query) => [query, baseOf(query)]));
    this.writtenRev = rev;
  }

  /**
   * Takes in what other tabs have stored; answers the chunk, or null when there was nothing to take. `landed`: see
   * `mergeStored` of the engine.
   */
  merge(stored: unknown, turn: Turn, landed?: number): DecodedChunk | null {
    const chunk = decodeChunk(stored);
    // Another source means that the user was reset meanwhile: those counts are someone else's.
    if (chunk instanceof Error || chunk.version !== 2 || chunk.source !== this.source || chunk.rev <= this.seenRev)
      return null;
    this.seenRev = chunk.rev;
    // Another tab may have written this revision too, without what this one failed to write.
    if ((landed ?? chunk.rev) >= this.writtenRev) {
      if (this.written.size > 0) this.base = this.written;
      if (chunk.rev === this.writtenRev) return null;
    }
    // The other tab may have less in a cell than this one thought.
    this.machine.forgetFull();
    const flipped = [...this.machine.catalogue.queries.values()].filter((query) =>
      this.mergeOne(query, chunk.internal.get(query.id), turn),
    );
    this.takeOver(flipped, turn);
    return chunk;
  }

  /**
   * Takes over results without a transition: the tab whose event caused it has published it. A result that does not
   * hold here at this moment, because time has passed since, is taken back. That may make others wrong that depend on
   * it, so it goes on until all that were taken over agree.
   */
  private takeOver(flipped: readonly Query[], turn: Turn): void {
    const { machine } = this;
    for (const query of flipped) {
      machine.setResult(query, !query.result);
      turn.dirty.add(query);
      turn.findings.changed(query);
    }
    const taken = new Set(flipped);
    for (let wrong = flipped; wrong.length > 0;) {
      wrong = [...taken].filter((query) => !machine.agrees(query));
      for (const query of wrong) {
        machine.setResult(query, !query.result);
        taken.delete(query);
      }
    }
  }

  /**
   * Merges the stored state of one query into this tab's, and answers whether another tab has flipped the query and
   * this one has not.
   */
  private mergeOne(query: Query, state: StoredQueryState | undefined, turn: Turn): boolean {
    const { specs, cells } = query;
    const stored = state?.checksum === query.checksum ? decodeCells(specs, state.cells) : null;
    if (stored === null || state === undefined) return false;
    const base = this.base.get(query) ?? { own: bottomCells(specs), result: false };
    const merged = specs.map((spec, i) => {
      const mine = cells.own[i] ?? bottom;
      const added = spec.kind.minus(spec, mine, base.own[i] ?? bottom);
      return this.isCurrent(query, i) ? mine : spec.kind.append(spec, stored[i] ?? bottom, added);
    });
    // The cells have taken in the stored state, which therefore is the new base.
    this.base.set(query, { own: stored, result: state.result });
    if (merged.some((component, i) => !sameComponent(component, cells.own[i] ?? bottom))) {
      cells.own = merged;
      turn.touch(query);
    }
    return state.result !== base.result && query.result === base.result;
  }

  /** Whether a cell counts in this tab's own view. It must not give way to the view of another tab. */
  private isCurrent({ specs, cells }: Query, cell: number): boolean {
    const scope = specs[cell]?.options.scope;
    return (
      scope === 'view' &&
      cells.own[cell]?.[1] === this.machine.present.view?.hash &&
      !isBottom([cells.own[cell] ?? bottom])
    );
  }
}

/** The query as it stands. Components are never changed, so that holding them is enough. */
const baseOf = ({ cells, result }: Query): Base => ({ own: cells.own, result });
