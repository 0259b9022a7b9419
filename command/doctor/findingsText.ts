import type { Finding } from '../../src/model/finding';
import { plainText } from '../support/plainText';

/** A finding without the characters that a terminal would obey. */
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
