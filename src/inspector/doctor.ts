import type { InspectedPage } from '../world';
/** Something about a page that an engineer should know. */
export interface Finding {
  readonly finding: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** Where it was found, such as `consent`. */
  readonly where: string;
  /** What to do about it; empty where nothing is wrong. */
  readonly fix: string;
}

/** What is wrong on the page, the worst first. */
export const doctor = ({ tag, world }: Pick<InspectedPage, 'tag' | 'world'>): readonly Finding[] => {
  const isRefused = world.setting('consentRequired') && tag['context'] === undefined;
  return [
    ...(isRefused
      ? [
          {
            finding: 'Consent is required, and the page has not given it',
            severity: 'error' as const,
            where: 'consent',
            fix: 'Call permutive.consent({ opt_in: true, token }) once the visitor has agreed.',
          },
        ]
      : []),
    { finding: `The SDK is version ${String(tag['version'])}`, severity: 'info', where: 'sdk', fix: '' },
  ];
};
