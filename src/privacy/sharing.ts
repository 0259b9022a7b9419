import { isRecord } from '../codecs/codecs';

/** Fields of the US sections of GPP: 1 is an opt-out, 2 none, 0 not applicable. */
const optOuts = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];

/**
 * Whether the parsed sections of GPP have an opt-out of sale, sharing or targeted advertising, or Global Privacy
 * Control: in the national US section, `usnat`, or in one of a state. A section is an object or a list of its segments.
 */
export const isOptOut = (sections: unknown): boolean =>
  isRecord(sections) &&
  Object.entries(sections)
    .filter(([name]) => name.startsWith('us'))
    .flatMap(([, section]) => section)
    .filter(isRecord)
    .some((segment) => optOuts.some((name) => segment[name] === 1) || segment['Gpc'] === true);

/** Whether the answer of `__uspapi` has an opt-out of sale: the third letter of a string such as `1YYN`. */
export const isUspOptOut = (data: unknown): boolean =>
  isRecord(data) && typeof data['uspString'] === 'string' && data['uspString'][2]?.toUpperCase() === 'Y';
