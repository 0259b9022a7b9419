import { json } from '../../model/plainJson';
import type { EngineEvent } from '../engineEvent';
import type { CanonicalLeaf, CanonicalPred } from '../language/canonicalLanguage';
import type { Fold } from '../language/text';
import { coverOf, isIndexable } from './cover';
import { Extractor } from './extractor';
import { type OperandQuestion, questionOf, textsOf } from './operandLeaf';
import { type PathReader, readerOf, type Test } from './paths';
import { compilePred } from './predicate';

/** A subscriber and the predicate it waits for. */
interface IndexedProbe<Probe> {
  readonly probe: Probe;
  readonly test: Test;
  stamp: number;
}

/** One leaf, shared by all predicates that contain it: how many of its operands the current event has met. */
interface IndexedLeaf<Probe> {
  readonly min: number;
  readonly max: number;
  count: number;
  stamp: number;
  /** The entries that can only hold if this leaf does, or another one of their cover. */
  readonly entries: IndexedProbe<Probe>[];
}

interface TextSource<Probe> {
  readonly read: PathReader;
  readonly fold: Fold;
  readonly extractors: Map<string, Extractor<IndexedLeaf<Probe>>>;
}

/**
 * Finds which of many predicates hold for an event without evaluating each: the counting algorithm over
 * inverted lists. Serves the events of one name.
 */
export class EventIndex<Probe> {
  private readonly always: Probe[] = [];
  private readonly scanned: IndexedProbe<Probe>[] = [];
  private readonly leaves = new Map<string, IndexedLeaf<Probe>>();
  private readonly sources = new Map<string, TextSource<Probe>>();
  private readonly candidates: IndexedProbe<Probe>[] = [];
  private stamp = 0;
  private latest: { readonly node: CanonicalLeaf; readonly leaf: IndexedLeaf<Probe> } | null = null;

  constructor(private readonly seed: number) {}

  add(where: CanonicalPred | undefined, probe: Probe): void {
    if (where === undefined) {
      this.always.push(probe);
      return;
    }
    const test = compilePred(where, this.seed, (leaf) =>
      isIndexable(leaf) ? this.counterTest(this.leafOf(leaf)) : null,
    );
    const entry = { probe, test, stamp: 0 };
    const cover = coverOf(where);
    if (cover === null) this.scanned.push(entry);
    else for (const leaf of cover) this.leafOf(leaf).entries.push(entry);
  }

  /** Adds to `matched` the probes whose predicate holds, of those that are wanted at all. */
  match(event: EngineEvent, isWanted: (probe: Probe) => boolean, matched: Probe[]): void {
    this.stamp++;
    const subject = { root: event.properties, event };
    for (const { read, fold, extractors } of this.sources.values()) {
      const texts = textsOf(read(subject), fold);
      if (texts.length > 0) for (const extractor of extractors.values()) extractor.run(texts, this.stamp);
    }
    for (const probe of this.always) if (isWanted(probe)) matched.push(probe);
    for (const { probe, test } of this.scanned) if (isWanted(probe) && test(subject)) matched.push(probe);
    for (const { probe, test } of this.candidates) if (isWanted(probe) && test(subject)) matched.push(probe);
    this.candidates.length = 0;
  }

  private counterTest(leaf: IndexedLeaf<Probe>): Test {
    return () => leaf.stamp === this.stamp && leaf.count >= leaf.min && leaf.count <= leaf.max;
  }

  private leafOf(node: CanonicalLeaf): IndexedLeaf<Probe> {
    // The same node is met in the predicate and in its cover, and some are long.
    if (this.latest?.node === node) return this.latest.leaf;
    const leaf = this.sharedLeafOf(node);
    this.latest = { node, leaf };
    return leaf;
  }

  private sharedLeafOf(node: CanonicalLeaf): IndexedLeaf<Probe> {
    const key = json.stringify(node);
    const known = this.leaves.get(key);
    if (known !== undefined) return known;
    const question = questionOf(node) as OperandQuestion;
    const leaf: IndexedLeaf<Probe> = { min: question.min, max: question.max, count: 0, stamp: 0, entries: [] };
    this.leaves.set(key, leaf);
    this.extractorOf(node.p, question).add(question, leaf);
    return leaf;
  }

  private extractorOf(path: string, question: OperandQuestion): Extractor<IndexedLeaf<Probe>> {
    const { tag, hashed, fold, longest } = question;
    const source = this.sources.get(`${fold} ${path}`) ?? {
      read: readerOf(path),
      fold,
      extractors: new Map<string, Extractor<IndexedLeaf<Probe>>>(),
    };
    this.sources.set(`${fold} ${path}`, source);
    // A run of hashed words that is longer than one leaf allows must not meet it, so hashed leaves share by length.
    const kind = hashed ? `${tag} ${longest}` : tag;
    const extractor = source.extractors.get(kind) ?? new Extractor(question, this.seed, this.onHit);
    source.extractors.set(kind, extractor);
    return extractor;
  }

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
