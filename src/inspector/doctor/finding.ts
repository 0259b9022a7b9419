/** Something about a page that an engineer should know. */
export interface Finding {
  readonly finding: string;
  /** `error`: the SDK does not do its work here. `warning`: a part of it does not. `info`: worth knowing. */
  readonly severity: 'error' | 'warning' | 'info';
  /** Where it was found, such as `consent`. */
  readonly where: string;
  /** What to do about it; empty where nothing is wrong. */
  readonly fix: string;
}

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
