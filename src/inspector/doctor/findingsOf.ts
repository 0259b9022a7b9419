import type { Finding } from '../../model/finding';
import { consentFindings } from './consentFindings';
import type { Facts } from './facts';
import { worstFirst } from './finding';
import { networkFindings } from './networkFindings';
import { partnerFindings } from './partnerFindings';
import { storageFindings } from './storageFindings';
import { addonFindings, tagFindings } from './tagFindings';

/** Judges what was seen of a page. The list begins with the worst findings. */
export const findingsOf = (facts: Facts): readonly Finding[] =>
  worstFirst(
    [tagFindings, consentFindings, addonFindings, storageFindings, networkFindings, partnerFindings].flatMap((judge) =>
      judge(facts),
    ),
  );
