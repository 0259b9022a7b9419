import { ownEntry } from '../../hardening/ownFields';
import { withoutSuffix } from '../../model/cohort';

/**
 * The codes of a page for one platform, each once and without suffix. `rts` is always added, because such codes are
 * never those of an earlier page (contract: what partners see).
 */
export const contextualCodes = (
  contextual: Readonly<Record<string, readonly string[]>>,
  platform: string,
): readonly string[] => [...new Set((ownEntry(contextual, platform) ?? []).map(withoutSuffix)), 'rts'];
