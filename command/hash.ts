import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { canon } from '../src/engine/language/canonical';
import { type ExtractionKind, operandLength } from '../src/engine/language/extraction';
import { maxGrams } from '../src/engine/language/languageCodec';
import { h53 } from '../src/engine/language/murmur';
import type { Fold } from '../src/engine/language/text';
import { command, WrongCall } from './command';

const kinds: readonly ExtractionKind[] = ['words', 'in', 'under', 'urlPath', 'domain'];
const folds: readonly Fold[] = ['case', 'accent', 'exact'];

/** The test of a leaf with hashed operands, as a query has it beside `p`. */
interface HashedTest {
  readonly [kind: string]: readonly number[] | true | number | Fold;
  readonly hashed: true;
  /** The longest run of words or path segments that an operand spans. */
  readonly grams: number;
}

/** The operands of a kind in the form that equals the keys of values, hashed, each once and in ascending order. */
const hashedTest = (kind: ExtractionKind, operands: readonly string[], fold: Fold): HashedTest => {
  const { q } = canon({ id: 'hash', q: { event: 'Pageview', where: { p: 'p', [kind]: operands, fold } as never } });
  const forms = (q as unknown as { readonly where: Readonly<Record<string, readonly (string | number)[]>> }).where[
    kind
  ];
  const texts = (forms ?? []).map(String);
  return {
    [kind]: [...new Set(texts.map((text) => h53(text, 0)))].sort((a, b) => a - b),
    hashed: true,
    grams: Math.max(1, ...texts.map((text) => operandLength(kind, text))),
    ...(fold !== 'case' && { fold }),
  };
};

/** Hashes operands, so that a list can be in a definition without being readable there. */
export const hash = command(
  {
    usage: 'FILE|WORDS… [--kind words|in|under|urlPath|domain] [--fold case|accent|exact]',
    summary:
      'Hashes operands, one a line of the files or one an argument, and prints the test of a leaf with `grams`. The kind is words without --kind.',
    options: { kind: { type: 'string', default: 'words' }, fold: { type: 'string', default: 'case' } },
    operands: [1, Infinity],
  },
  ({ values, positionals }, io) => {
    const kind = kinds.find((known) => known === values.kind);
    const fold = folds.find((known) => known === values.fold);
    if (kind === undefined) throw new WrongCall(`--kind ${values.kind}: expected ${kinds.join(', ')}`);
    if (fold === undefined) throw new WrongCall(`--fold ${values.fold}: expected ${folds.join(', ')}`);
    const operands = positionals.flatMap((given) => operandsOf(given, io.cwd));
    if (operands.length === 0) throw new WrongCall('there is no operand in the files');
    const test = hashedTest(kind, operands, fold);
    if (test.grams > maxGrams) {
      io.err(`An operand spans ${test.grams} parts; at most ${maxGrams} can be found in a text. Shorten the operand.`);
      return 1;
    }
    io.out(JSON.stringify(test));
    return 0;
  },
);

/** The lines of a file, or the argument itself where there is no such file. */
const operandsOf = (given: string, cwd: string): readonly string[] => {
  const file = resolve(cwd, given);
  if (!existsSync(file) || !statSync(file).isFile()) return [given];
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
};
