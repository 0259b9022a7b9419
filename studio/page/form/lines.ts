import type { Scalar } from '../../../src/engine/language/language';

// Operands as people write them: one a line. A number is written as it is. A text that looks like a number or has
// spaces at an end is written in quotes, so that each list has one text and each text one list.

/** Operands, one a line. */
export const linesOf = (operands: readonly Scalar[]): string => operands.map(lineOf).join('\n');

/** The operands of lines. Empty lines have none. */
export const operandsOf = (lines: string): readonly Scalar[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(operandOf);

/** One operand on a line. */
export const lineOf = (operand: Scalar): string => {
  if (typeof operand === 'number') return Object.is(operand, -0) ? '-0' : String(operand);
  return operandOf(operand) === operand && operand !== '' && operand.trim() === operand && !/[\r\n]/.test(operand)
    ? operand
    : JSON.stringify(operand);
};

/** The operand of a line: a number that is written shortly, a text in quotes, or the text as it is. */
export const operandOf = (line: string): Scalar => {
  const number = numberOf(line);
  if (number !== undefined && (String(number) === line || line === '-0')) return number;
  if (line.startsWith('"'))
    try {
      const text: unknown = JSON.parse(line);
      if (typeof text === 'string') return text;
    } catch {
      // The quote belongs to the text.
    }
  return line;
};

/** The finite number that a text is; undefined where it is none. */
export const numberOf = (text: string): number | undefined => {
  const number = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
};
