import { isRecord } from '../codecs/codecs';

/**
 * Fields by which a visitor objects in the US sections of GPP, and their values then. Beside 1 for an opt-out there are
 * 2 for none, and 0 where the question does not apply. `OptOutSale` is that of `uspv1`, US Privacy as a section.
 */
const optOuts = {
  SaleOptOut: 1,
  SharingOptOut: 1,
  TargetedAdvertisingOptOut: 1,
  OptOutSale: 'Y',
  Gpc: true,
};

/**
 * Whether the parsed sections of GPP have an opt-out of sale, sharing or targeted advertising, or Global Privacy
 * Control: in the national US section, `usnat`, in one of a state, or in `uspv1`. A section is an object or a list of
 * its segments.
 */
export const isOptOut = (sections: unknown): boolean =>
  isRecord(sections) &&
  Object.entries(sections)
    .filter(([name]) => name.startsWith('us'))
    .flatMap(([, section]) => section)
    .filter(isRecord)
    .some((segment) => Object.entries(optOuts).some(([name, optOut]) => segment[name] === optOut));

/** Whether the answer of `__uspapi` has an opt-out of sale: the third letter of a string such as `1YYN`. */
export const isUspOptOut = (data: unknown): boolean =>
  isRecord(data) && typeof data['uspString'] === 'string' && data['uspString'][2]?.toUpperCase() === 'Y';
