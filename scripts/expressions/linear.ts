import { cpuMs } from '../../test/support/cpuTime';
import { partsOf } from './collected';
import { type Attack, attackText } from './hostileTexts';

/** Lengths that are tried; each text is eight times as long as the one before. */
const lengths = [2_048, 16_384, 131_072, 1_048_576];
export const [, , shortText = 0, wholeText = 0] = lengths;
/**
 * A text eight times as long may take 32 times as long, so that a busy machine changes nothing. A time that grows by
 * the square of the text is 64 times as long.
 */
const growth = 32;

/**
 * Whether an expression reads an attack of at most `longest` characters in a time in proportion to its length, as seen
 * on this machine. Stops at the first length that takes too long.
 */
export const isLinear = (expression: string, attack: Attack, longest: number): boolean => {
  const [source, flags] = partsOf(expression);
  const pattern = new RegExp(source, flags);
  const read = pattern.global
    ? (text: string) => text.replace(pattern, '')
    : (text: string) => new RegExp(source, flags).test(text);
  const took = (length: number): number => {
    const text = attackText(attack, length);
    return cpuMs(() => read(text));
  };
  let before = took(lengths[0]!);
  return lengths
    .filter((length) => length > lengths[0]! && length <= longest)
    .every((length) => {
      const limit = growth * Math.max(before, shortest());
      // What is seen once may be the machine's doing.
      before = took(length);
      if (before > limit) before = took(length);
      return before <= limit;
    });
};

let measured: number | undefined;
const plain = 'a'.repeat(1_048_576);
/** The time of one simple search through 1 MB, below which times are noise. */
const shortest = (): number => (measured ??= Math.max(...[1, 2, 3].map(() => cpuMs(() => /[b-z]/.test(plain)))));
