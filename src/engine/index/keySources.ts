import type { Fold } from '../language/text';
import { type Countable, Extractor } from './extractor';
import { type OperandQuestion, textsOf } from './operandLeaf';
import { type PathReader, pathReader, type Subject } from './paths';

/** What is taken from one path in one fold: the texts are read once for each event, for all extractors of the path. */
interface TextSource<Leaf extends Countable> {
  readonly path: string;
  readonly read: PathReader;
  readonly fold: Fold;
  readonly extractors: Extractor<Leaf>[];
}

/** Finds the leaves of which an event of one name meets operands. An event costs its keys and the finds. */
export class KeySources<Leaf extends Countable> {
  /** A list, because there are few paths and every event goes through all of them. */
  private readonly sources: TextSource<Leaf>[] = [];

  constructor(
    private readonly seed: number,
    private readonly onHit: (leaf: Leaf) => void,
  ) {}

  /** Enters the operands of a question, for each of which the leaf is found. */
  add(question: OperandQuestion, leaf: Leaf): void {
    this.extractorOf(question).add(question, leaf);
  }

  /** Frees the room that lists keep to grow. */
  settle(): void {
    for (const { extractors } of this.sources) for (const extractor of extractors) extractor.settle();
  }

  /** Reports to `onHit` the leaves that ask for keys of an event (`Extractor.run`). */
  run(subject: Subject, stamp: number): void {
    for (const { read, fold, extractors } of this.sources) {
      const texts = textsOf(read(subject), fold);
      if (texts.length > 0) for (const extractor of extractors) extractor.run(texts, stamp);
    }
  }

  /** The extractor that finds the operands of a leaf at its path. */
  private extractorOf(question: OperandQuestion): Extractor<Leaf> {
    const { path, tag, hashed, fold, longest } = question;
    let source = this.sources.find((known) => known.path === path && known.fold === fold);
    if (source === undefined) this.sources.push((source = { path, fold, read: pathReader(path), extractors: [] }));
    // Plain operands of all lengths share one extractor, because a run of words equals only operands of as many words.
    // A hash does not show how long its run was, and a leaf must not meet a longer run than its `grams` allows.
    const name = hashed ? `${tag} ${longest}` : tag;
    let extractor = source.extractors.find((known) => known.name === name);
    if (extractor === undefined)
      source.extractors.push((extractor = new Extractor(name, question, this.seed, this.onHit)));
    return extractor;
  }
}
