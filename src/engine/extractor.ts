import { type Automaton, automatonOf } from './ahoCorasick';
import { emitKeys, type ExtractionKind } from './extraction';
import type { Scalar } from './language';
import { h53 } from './murmur';
import { extractionOf, type OperandQuestion } from './operandLeaf';

/** Takes keys from the texts at one path and finds the leaves that ask for them. */
export class Extractor<Leaf> {
  private readonly indexByKey = new Map<Scalar, number>();
  // Nearly always one leaf alone asks for a key: a list then would only cost memory.
  private readonly leavesByIndex: (Leaf | Leaf[])[] = [];
  private readonly seen: number[] = [];
  private automaton: Automaton | null = null;
  private readonly kind: ExtractionKind | null;
  private longest = 1;
  private stamp = 0;

  constructor(
    { tag, hashed }: OperandQuestion,
    seed: number,
    private readonly onHit: (leaf: Leaf) => void,
  ) {
    this.kind = extractionOf(tag);
    this.emit = hashed ? (key) => this.meet(this.indexByKey.get(h53(key, seed))) : (key) => this.meet(this.indexByKey.get(key));
  }

  add({ operands, longest }: OperandQuestion, leaf: Leaf): void {
    this.automaton = null;
    this.longest = Math.max(this.longest, longest);
    for (const operand of operands) {
      const index = this.indexByKey.get(operand);
      if (index === undefined) {
        this.indexByKey.set(operand, this.leavesByIndex.length);
        this.leavesByIndex.push(leaf);
        this.seen.push(0);
      } else {
        this.leavesByIndex[index] = ([] as Leaf[]).concat(this.leavesByIndex[index] as Leaf | Leaf[], leaf);
      }
    }
  }

  /** Reports each leaf once for each of its operands among the keys; `stamp` tells events apart. */
  run(texts: readonly string[], stamp: number): void {
    this.stamp = stamp;
    for (const text of texts) {
      if (this.kind !== null) emitKeys(this.kind, text, this.longest, this.emit);
      else this.prepare().scan(text, this.meet);
    }
  }

  private prepare(): Automaton {
    this.automaton ??= automatonOf(this.indexByKey.keys() as Iterable<string>);
    return this.automaton;
  }

  private readonly emit: (key: string) => void;

  private readonly meet = (index: number | undefined): void => {
    if (index === undefined || this.seen[index] === this.stamp) return;
    this.seen[index] = this.stamp;
    const leaves = this.leavesByIndex[index] as Leaf | Leaf[];
    if (Array.isArray(leaves)) for (const leaf of leaves) this.onHit(leaf);
    else this.onHit(leaves);
  };
}
