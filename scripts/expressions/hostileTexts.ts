import * as fc from 'fast-check';

import { partsOf } from './collected';

/** A text that an expression reads slowly if it can: pieces, the repeated ones as often as the length needs. */
export interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
  readonly suffix: string;
}

/** The attack as a text of about so many characters. */
export const attackText = ({ pumps, suffix }: Attack, length: number): string =>
  pumps.map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(length / pumps.length / pump.length))).join('') +
  suffix;

/**
 * Attacks on one expression that are made from it: texts that match, and that all but match, again and again; and the
 * same sign again and again. Each ends with a sign that no expression wants.
 */
export const hostileTexts = (expression: string): readonly Attack[] => {
  const matches = matchesOf(expression);
  const pumps = new Set([
    ...matches.flatMap((match) => [match, match.slice(0, -1), match.slice(1), match.slice(0, match.length / 2)]),
    ...(expression.match(/[\w@%./:-]{2,}/g) ?? []),
    ...Array.from('a0 \n-./"\\([*<'),
  ]);
  pumps.delete('');
  return [...pumps].map((pump) => ({ pumps: [{ prefix: '', pump }], suffix: '\u0001' }));
};

/** Texts that an expression matches, always the same ones; none where they cannot be made, as with a lookahead. */
const matchesOf = (expression: string): readonly string[] => {
  try {
    const [source, flags] = partsOf(expression);
    const pattern = new RegExp(source, flags.replace(/[^sum]/g, ''));
    return fc.sample(fc.stringMatching(pattern, { size: 'small' }), { seed: 1, numRuns: 3 });
  } catch {
    return [];
  }
};
