import type { Finding } from '../../model/finding';

/** A finding where a condition holds, else none. */
export const findingIf = (
  holds: boolean,
  severity: Finding['severity'],
  where: string,
  finding: string,
  fix = '',
): readonly Finding[] => (holds ? [{ finding, severity, where, fix }] : []);

const order: readonly Finding['severity'][] = ['error', 'warning', 'info'];

/** The findings by severity; those of one severity stay in their order. */
export const worstFirst = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
