import { ownEntry } from '../../hardening/ownFields';
import { withoutSuffix } from '../../model/cohort';

/**
 * The codes of a page for one platform, each once and without suffix. `rts` is added to an answer, because such codes
 * are never those of an earlier page (contract: what partners see). Undefined until the answer is there.
 */
export const contextualCodes = (
  contextual: Readonly<Record<string, readonly string[]>> | undefined,
  platform: string,
): readonly string[] | undefined =>
  contextual && [...new Set((ownEntry(contextual, platform) ?? []).map(withoutSuffix)), 'rts'];
