import { consentFindings } from './consentFindings';
import type { Facts } from './facts';
import type { Finding } from './finding';
import { networkFindings } from './networkFindings';
import { partnerFindings } from './partnerFindings';
import { storageFindings } from './storageFindings';
import { addonFindings, tagFindings } from './tagFindings';

const order: readonly Finding['severity'][] = ['error', 'warning', 'info'];

/** Judges what was seen of a page. The worst findings come first. */
export const findingsOf = (facts: Facts): readonly Finding[] =>
  [tagFindings, consentFindings, addonFindings, storageFindings, networkFindings, partnerFindings]
    .flatMap((judge) => judge(facts))
    .sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
