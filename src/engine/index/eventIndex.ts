import { json } from '../../hardening/plainJson';
import type { EngineEvent } from '../engineEvent';
import type { CanonicalPred } from '../language/canonicalLanguage';
import { coverOf, indexable, isDecidedByCover } from './cover';
import { KeySources } from './keySources';
import type { OperandQuestion } from './operandLeaf';
import type { Test } from './paths';
import { compilePred } from './predicate';

/** A probe that waits for an event, and its whole predicate. */
interface IndexedProbe<Probe> {
  readonly probe: Probe;
  /** Null where a candidate is sure to hold. */
  readonly test: Test | null;
  /** Stamp of the last event for which it became a candidate. */
  stamp: number;
}

/**
 * One leaf, shared by all predicates that contain the same. Counts how many of its operands the current event meets.
 */
interface IndexedLeaf<Probe> {
  /** The leaf holds when at least this many of its operands are met, and at most `max`. */
  readonly min: number;
  readonly max: number;
  count: number;
  /** Stamp of the event that `count` belongs to. So no counter has to be cleared for the next event. */
  stamp: number;
  /** Probes whose predicate can only hold if this leaf holds, or another leaf of their cover. */
  entries: IndexedProbe<Probe>[];
}

/**
 * Finds which of many predicates hold for an event without evaluating each: the counting algorithm over inverted lists.
 * Serves the events of one name.
 * An extractor takes all keys from the texts at a path and finds, in a table from operand to leaves, the leaves that
 * ask for them. Each find adds one to the counter of the leaf. When a counter reaches the leaf's minimum, the probes
 * that have the leaf in their cover become candidates. Only candidates, and probes without a cover, have their
 * predicate evaluated; there, leaves that were counted answer from their counters.
 * Invariant: the predicate of a probe that has a cover and is no candidate cannot hold. An event costs its keys, the
 * finds and the probes without a cover, however many other predicates there are.
 */
export class EventIndex<Probe> {
  /** Probes without a predicate. */
  private readonly always: Probe[] = [];
  /** Probes whose predicate has no cover. The predicates of these probes are evaluated for each event. */
  private readonly scanned: IndexedProbe<Probe>[] = [];
  /** All leaves by the JSON of their questions. The same leaf has the same JSON, because predicates are canonical. */
  private readonly leaves = new Map<string, IndexedLeaf<Probe>>();
  /** What is read of an event. */
  private readonly sources: KeySources<IndexedLeaf<Probe>>;
  /** Probes of which a leaf of the cover has reached its minimum for the current event, each once. */
  private readonly candidates: IndexedProbe<Probe>[] = [];
  /** Number of the current event. */
  private stamp = 0;
  /** The leaf that was asked for last, with its question. */
  private latest: { readonly question: OperandQuestion; readonly leaf: IndexedLeaf<Probe> } | null = null;

  constructor(private readonly seed: number) {
    this.sources = new KeySources(seed, this.onHit);
  }

  /** Adds a probe with the predicate of its events; without one it matches every event of the name. */
  add(where: CanonicalPred | undefined, probe: Probe): void {
    if (where === undefined) {
      this.always.push(probe);
      return;
    }
    const cover = coverOf(where);
    const test = isDecidedByCover(where)
      ? null
      : compilePred(where, this.seed, (leaf) => this.counterTest(indexable(leaf)));
    const entry = { probe, test, stamp: 0 };
    // One entry stands under each leaf of the cover. The stamp keeps an event from making the probe a candidate twice.
    if (cover === null) this.scanned.push(entry);
    else for (const leaf of cover) this.leafOf(leaf).entries.push(entry);
  }

  /** Frees what only `add` needs. A later predicate shares no leaf with those that are here. */
  settle(): void {
    for (const leaf of this.leaves.values()) leaf.entries = leaf.entries.slice();
    this.sources.settle();
    this.leaves.clear();
    this.latest = null;
  }

  /** Adds to `matched` the probes whose predicate holds, of those that are wanted at all. */
  match(event: EngineEvent, isWanted: (probe: Probe) => boolean, matched: Probe[]): void {
    this.stamp++;
    const subject = { root: event.properties, event };
    // Extractors count first, because predicates read the counters.
    this.sources.run(subject, this.stamp);
    for (const probe of this.always) if (isWanted(probe)) matched.push(probe);
    for (const entries of [this.scanned, this.candidates])
      for (const { probe, test } of entries)
        if (isWanted(probe) && (test === null || test(subject))) matched.push(probe);
    this.candidates.length = 0;
  }

  /** The truth of a counted leaf for the current event, in place of reading the event again. Null for other leaves. */
  private counterTest(question: OperandQuestion | null): Test | null {
    if (question === null) return null;
    const leaf = this.leafOf(question);
    return () => leaf.stamp === this.stamp && leaf.count >= leaf.min && leaf.count <= leaf.max;
  }

  /** The leaf of a question; entered with its operands at the first mention. */
  private leafOf(question: OperandQuestion): IndexedLeaf<Probe> {
    // The same question is met in the predicate and in its cover. Writing a long one as JSON twice would cost time.
    if (this.latest?.question === question) return this.latest.leaf;
    const key = json.stringify(question);
    const { min, max } = question;
    const leaf = this.leaves.get(key) ?? { min, max, count: 0, stamp: 0, entries: [] };
    if (!this.leaves.has(key)) this.sources.add(question, leaf);
    this.leaves.set(key, leaf);
    this.latest = { question, leaf };
    return leaf;
  }

  /** Counts a find. At the leaf's minimum its probes become candidates; more finds change nothing about that. */
  private readonly onHit = (leaf: IndexedLeaf<Probe>): void => {
    leaf.count = leaf.stamp === this.stamp ? leaf.count + 1 : 1;
    leaf.stamp = this.stamp;
    if (leaf.count !== leaf.min) return;
    for (const entry of leaf.entries) {
      if (entry.stamp === this.stamp) continue;
      entry.stamp = this.stamp;
      this.candidates.push(entry);
    }
  };
}
