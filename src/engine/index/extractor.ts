import { emitKeys, type ExtractionKind } from '../language/extraction';
import type { Scalar } from '../language/language';
import { h53 } from '../language/murmur';
import { type Automaton, automatonOf } from './ahoCorasick';
import { extractionOf, type OperandQuestion } from './operandLeaf';

/** What an extractor has to know of a leaf: whether it matters how many of its operands are met. */
export interface Countable {
  readonly min: number;
  readonly max: number;
}

/** The leaves that ask for one key, and the last event that had it. */
class Posting<Leaf> {
  seen = 0;

  constructor(readonly leaves: Leaf[]) {}
}

/** Takes keys from the texts at one path and finds the leaves that ask for them. */
export class Extractor<Leaf extends Countable> {
  // Nearly always one leaf alone asks for a key, and for one hit: it then stands there itself, to save memory.
  private readonly byKey = new Map<Scalar, Leaf | Posting<Leaf>>();
  private readonly kind: ExtractionKind | null;
  private readonly emit: (key: string) => void;
  private automaton: { readonly machine: Automaton; readonly targets: readonly (Leaf | Posting<Leaf>)[] } | null = null;
  private longest = 1;
  private stamp = 0;

  constructor(
    { tag, hashed }: OperandQuestion,
    seed: number,
    private readonly onHit: (leaf: Leaf) => void,
  ) {
    this.kind = extractionOf(tag);
    this.emit = hashed ? (key) => this.meet(this.byKey.get(h53(key, seed))) : (key) => this.meet(this.byKey.get(key));
  }

  add({ operands, longest }: OperandQuestion, leaf: Leaf): void {
    this.automaton = null;
    this.longest = Math.max(this.longest, longest);
    const isCounted = leaf.min > 1 || leaf.max < Infinity;
    for (const operand of operands) {
      const known = this.byKey.get(operand);
      if (known instanceof Posting) known.leaves.push(leaf);
      else if (known !== undefined) this.byKey.set(operand, new Posting([known, leaf]));
      else this.byKey.set(operand, isCounted ? new Posting([leaf]) : leaf);
    }
  }

  /**
   * Reports the leaves that ask for the keys; one that counts, once for each of its operands. `stamp` tells events
   * apart.
   */
  run(texts: readonly string[], stamp: number): void {
    this.stamp = stamp;
    for (const text of texts) {
      if (this.kind !== null) emitKeys(this.kind, text, this.longest, this.emit);
      else this.scan(text);
    }
  }

  private scan(text: string): void {
    this.automaton ??= {
      machine: automatonOf(this.byKey.keys() as Iterable<string>),
      targets: [...this.byKey.values()],
    };
    const { machine, targets } = this.automaton;
    machine.scan(text, (pattern) => this.meet(targets[pattern]));
  }

  private meet(target: Leaf | Posting<Leaf> | undefined): void {
    if (target === undefined) return;
    if (!(target instanceof Posting)) {
      this.onHit(target);
      return;
    }
    if (target.seen === this.stamp) return;
    target.seen = this.stamp;
    for (const leaf of target.leaves) this.onHit(leaf);
  }
}
