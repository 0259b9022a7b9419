import type { Scalar } from '../language/language';
import { KeyFinder } from './keyFinder';
import type { OperandQuestion } from './operandLeaf';

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
  private readonly targets = new Map<Scalar, Leaf | Posting<Leaf>>();
  private readonly finder: KeyFinder<Leaf | Posting<Leaf>>;
  /** Postings whose lists keep room to grow. */
  private grown: Posting<Leaf>[] = [];
  /** The event whose texts are being read. */
  private stamp = 0;

  /** `name` tells the extractors of one path apart. */
  constructor(
    readonly name: string,
    question: OperandQuestion,
    seed: number,
    private readonly onHit: (leaf: Leaf) => void,
  ) {
    this.finder = new KeyFinder(question, seed, 1, this.targets, this.meet);
  }

  /** Enters the operands of a leaf into the table. */
  add({ operands, longest }: OperandQuestion, leaf: Leaf): void {
    const { finder, targets } = this;
    finder.longest = Math.max(finder.longest, longest);
    finder.renew();
    const isCounted = leaf.min > 1 || leaf.max < Infinity;
    for (const operand of operands) {
      const known = targets.get(operand);
      if (known instanceof Posting) {
        // A list keeps room for many more from its third entry on.
        if (known.leaves.push(leaf) === 3) this.grown.push(known);
      } else if (known !== undefined) targets.set(operand, new Posting([known, leaf]));
      else targets.set(operand, isCounted ? new Posting([leaf]) : leaf);
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
    this.finder.run(texts);
  }

  /** Reports the leaves of one key. */
  private readonly meet = (target: Leaf | Posting<Leaf>): void => {
    if (!(target instanceof Posting)) {
      this.onHit(target);
      return;
    }
    // The event had this key before, in this text or another.
    if (target.seen === this.stamp) return;
    target.seen = this.stamp;
    for (const leaf of target.leaves) this.onHit(leaf);
  };
}
