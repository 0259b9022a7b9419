import { withoutSuffix } from '../../model/cohort';

/**
 * A page's codes for a platform; they are never an earlier page's, so `rts` is always with them (contract: what
 * partners see).
 */
export const contextualCodes = (
  contextual: Readonly<Record<string, readonly string[]>>,
  platform: string,
): readonly string[] => [
  ...new Set((Object.hasOwn(contextual, platform) ? (contextual[platform] ?? []) : []).map(withoutSuffix)),
  'rts',
];
