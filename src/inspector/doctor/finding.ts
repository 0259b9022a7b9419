import type { Finding } from '../../model/finding';

type FindingIf = (holds: boolean, finding: string, fix?: string) => readonly Finding[];

/** Makes findings of one place, by severity: one where a condition holds, else none. */
export const findingsAt = (where: string): Readonly<Record<Finding['severity'], FindingIf>> => {
  const findingIf =
    (severity: Finding['severity']): FindingIf =>
    (holds, finding, fix = '') =>
      holds ? [{ finding, severity, where, fix }] : [];
  return { error: findingIf('error'), warning: findingIf('warning'), info: findingIf('info') };
};

const order: readonly Finding['severity'][] = ['error', 'warning', 'info'];

/** The findings by severity; those of one severity stay in their order. */
export const worstFirst = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));

/** Codes and entries that a finding names at most. */
const maxNamesShown = 5;

/** Codes or entries in words, some of them where there are many. */
export const namedText = (names: readonly string[]): string =>
  names.length <= maxNamesShown
    ? names.join(', ')
    : `${names.slice(0, maxNamesShown).join(', ')} and ${names.length - maxNamesShown} more`;
