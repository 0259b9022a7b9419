import { emitKeys, type ExtractionKind, extractions } from '../language/extraction';
import type { Scalar } from '../language/language';
import { h53 } from '../language/murmur';
import { type Automaton, automatonOf } from './ahoCorasick';
import type { OperandQuestion } from './operandLeaf';

/** What is found for each key. A `Map` is such a table. */
export interface KeyTable<Target> {
  readonly get: (key: Scalar) => Target | undefined;
  readonly keys: () => Iterable<Scalar>;
  /** In the order of the keys. */
  readonly values: () => Iterable<Target>;
}

/** Finds, in the texts at one path, the keys of a table, and answers what the table has for them. */
export class KeyFinder<Target> {
  /** How keys are taken from a text; null where the keys are looked for inside it. */
  private readonly kind: ExtractionKind | null;
  /** Takes in one key of a text. Made once, because it is called for every key of every event. */
  private readonly emit: (key: string) => void;
  /** Finds keys inside texts. `found` is in the order of the patterns. Null until the first text after a change. */
  private automaton: { readonly machine: Automaton; readonly found: readonly Target[] } | null = null;

  /** `longest`: the longest run of words or segments that a key may span. `onFound` may hear of a target repeatedly. */
  constructor(
    { tag, hashed }: Pick<OperandQuestion, 'tag' | 'hashed'>,
    seed: number,
    public longest: number,
    private readonly table: KeyTable<Target>,
    private readonly onFound: (target: Target) => void,
  ) {
    const extraction = extractions[tag];
    this.kind = typeof extraction === 'string' ? extraction : null;
    this.emit = (key) => {
      const target = table.get(hashed ? h53(key, seed) : key);
      // Nobody asks for most keys.
      if (target !== undefined) onFound(target);
    };
  }

  /** Has to be called after the table has got a key: queries may be added between events. */
  renew(): void {
    this.automaton = null;
  }

  /** Tells `onFound` of the keys that the texts have. */
  run(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.kind !== null) emitKeys(this.kind, text, this.longest, this.emit);
      else this.scan(text);
    }
  }

  private scan(text: string): void {
    this.automaton ??= {
      machine: automatonOf(this.table.keys() as Iterable<string>),
      found: [...this.table.values()],
    };
    const { machine, found } = this.automaton;
    machine.scan(text, (pattern) => this.onFound(found[pattern] as Target));
  }
}
