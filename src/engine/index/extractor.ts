import { emitKeys, type ExtractionKind } from '../language/extraction';
import type { Scalar } from '../language/language';
import { h53 } from '../language/murmur';
import { type Automaton, automatonOf } from './ahoCorasick';
import { extractionOf, type OperandQuestion } from './operandLeaf';

/** The numbers that an extractor has to know of a leaf: how many of its operands must be met, and how many may be. */
export interface Countable {
  /** The minimum, at least 1. */
  readonly min: number;
  /** Infinity where there is no limit. */
  readonly max: number;
}

/**
 * The leaves that ask for one key. Remembers the last event that had the key, so that a key which occurs twice counts
 * once.
 */
class Posting<Leaf> {
  seen = 0;

  constructor(public leaves: Leaf[]) {}
}

/**
 * Takes keys from the texts at one path and finds the leaves that ask for them. A leaf with a minimum of 1 and no
 * maximum may be reported more than once for an event, because that changes nothing for it.
 */
export class Extractor<Leaf extends Countable> {
  // A posting is made only for keys that several leaves ask for, or a leaf that counts. Nearly always one leaf alone
  // asks for a key and needs one hit: it then stands in the table itself, which saves memory.
  private readonly byKey = new Map<Scalar, Leaf | Posting<Leaf>>();
  /** Postings whose lists keep room to grow. */
  private grown: Posting<Leaf>[] = [];
  /** How keys are taken from a text; null where the operands are looked for inside it. */
  private readonly kind: ExtractionKind | null;
  /** Takes in one key of a text. Made once, because it is called for every key of every event. */
  private readonly emit: (key: string) => void;
  /**
   * Finds operands inside texts. `targets` are in the order of the patterns. Null until the first text after a change.
   */
  private automaton: { readonly machine: Automaton; readonly targets: readonly (Leaf | Posting<Leaf>)[] } | null = null;
  /** The longest run of words or segments that any leaf asks for. */
  private longest = 1;
  /** The event whose texts are being read. */
  private stamp = 0;

  /** `name` tells the extractors of one path apart. */
  constructor(
    readonly name: string,
    { tag, hashed }: OperandQuestion,
    seed: number,
    private readonly onHit: (leaf: Leaf) => void,
  ) {
    this.kind = extractionOf(tag);
    this.emit = (key) => {
      const target = this.byKey.get(hashed ? h53(key, seed) : key);
      // Nobody asks for most keys.
      if (target !== undefined) this.meet(target);
    };
  }

  /** Enters the operands of a leaf into the table. */
  add({ operands, longest }: OperandQuestion, leaf: Leaf): void {
    // Built anew at the next text: queries may be added between events.
    this.automaton = null;
    this.longest = Math.max(this.longest, longest);
    const isCounted = leaf.min > 1 || leaf.max < Infinity;
    for (const operand of operands) {
      const known = this.byKey.get(operand);
      if (known instanceof Posting) {
        // A list keeps room for many more from its third entry on.
        if (known.leaves.push(leaf) === 3) this.grown.push(known);
      } else if (known !== undefined) this.byKey.set(operand, new Posting([known, leaf]));
      else this.byKey.set(operand, isCounted ? new Posting([leaf]) : leaf);
    }
  }

  /** Frees the room that lists keep to grow. */
  settle(): void {
    for (const posting of this.grown) posting.leaves = posting.leaves.slice();
    this.grown = [];
  }

  /**
   * Reports to `onHit` the leaves that ask for keys of the texts. A leaf that counts is reported once for each of its
   * operands that is met. `stamp` is the number of the event.
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
    machine.scan(text, (pattern) => this.meet(targets[pattern] as Leaf | Posting<Leaf>));
  }

  /** Reports the leaves of one key. */
  private meet(target: Leaf | Posting<Leaf>): void {
    if (!(target instanceof Posting)) {
      this.onHit(target);
      return;
    }
    // The event had this key before, in this text or another.
    if (target.seen === this.stamp) return;
    target.seen = this.stamp;
    for (const leaf of target.leaves) this.onHit(leaf);
  }
}
