import type { Finding } from '../../src/model/finding';

/** Control characters, and those that change the direction of text: a page could write over what a terminal shows. */

const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text without the characters that a terminal would obey. */
export const plainText = (text: string): string => text.replace(unprintable, ' ');

/** A finding without these characters. */
export const printable = (finding: Finding): Finding => ({
  ...finding,
  where: plainText(finding.where),
  finding: plainText(finding.finding),
  fix: plainText(finding.fix),
});

/** Findings as a table for a terminal, with each fix below its finding, and their sum. */
export const findingsText = (findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ where }) => where.length), 0);
  const lines = findings.flatMap(({ severity, where, finding, fix }) => [
    `${severity.padEnd('warning'.length)}  ${where.padEnd(width)}  ${finding}`,
    ...(fix === '' ? [] : [`${' '.repeat('warning'.length + width + 4)}→ ${fix}`]),
  ]);
  const count = (wanted: Finding['severity']): number => findings.filter(({ severity }) => severity === wanted).length;
  return [...lines, '', `${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}`].join('\n');
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
