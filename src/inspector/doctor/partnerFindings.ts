import type { Finding } from '../../model/finding';
import type { Facts, KeyValues, PartnerFact } from './facts';
import { findingsAt } from './finding';

const atPartners = findingsAt('partners');
const atKeyValues = findingsAt('key values');

/** Google Ad Manager's limits of a key and of a value (Ad Manager help, system maximums and limits). */
const longestKey = 20;
const longestValue = 40;
/** Key values travel in the address of a request, and many servers refuse addresses of more than 8 KB. */
const longestTargeting = 8_000;

const partnerNames = {
  google: 'Google Publisher Tag',
  appnexus: 'The seller tag of AppNexus',
  prebid: 'Prebid',
} as const;

/** What is to be said of ad servers, Prebid and the key values. */
export const partnerFindings = ({ partners }: Facts): readonly Finding[] => {
  // Many projects work with two ad servers, and have one of them on each page.
  const hasAdServer = partners.google.state === 'ready' || partners.appnexus.state === 'ready';
  return [
    ...scriptFindings('google', partners.google, hasAdServer),
    ...scriptFindings('appnexus', partners.appnexus, hasAdServer || partners.google.isWanted),
    // An auction is not held on each page, and Prebid's module reads what is stored, too.
    ...scriptFindings('prebid', partners.prebid, true),
    ...partners.keyValues.flatMap(keyFindings),
    ...[...new Set(partners.keyValues.map(({ place }) => place))].flatMap((place) =>
      lengthFindings(
        place,
        partners.keyValues.filter((each) => each.place === place),
      ),
    ),
  ];
};

const scriptFindings = (
  name: keyof typeof partnerNames,
  { state, isWanted, loadedAt }: PartnerFact,
  isOptional: boolean,
): readonly Finding[] =>
  state === 'ready'
    ? atPartners.info(
        true,
        `${partnerNames[name]} is on the page${loadedAt === undefined ? '' : `, loaded ${Math.round(loadedAt)} ms after it began`}`,
      )
    : atPartners[isOptional ? 'info' : 'warning'](
        isWanted,
        state === 'absent'
          ? `${partnerNames[name]} is configured in the project, and is not on the page`
          : `${partnerNames[name]} has its queue on the page, and has not loaded`,
        'See that its script is on the page and loads, also with ad blockers in mind. Where the page has no ads, this is right.',
      );

const keyFindings = ({ place, key, values }: KeyValues): readonly Finding[] => {
  const long = values.filter((value) => value.length > longestValue);
  return [
    ...atKeyValues.warning(
      key.length > longestKey,
      `The key ${key} of ${place} has more than ${longestKey} characters`,
      'Google Ad Manager takes no longer keys. Choose a shorter one.',
    ),
    ...atKeyValues.warning(
      long.length > 0,
      `${long.length} of the values of ${key} of ${place} have more than ${longestValue} characters`,
      'Google Ad Manager takes no longer values. Give the cohorts shorter codes.',
    ),
  ];
};

const lengthFindings = (place: string, keyValues: readonly KeyValues[]): readonly Finding[] => {
  const length = keyValues.reduce((sum, { key, values }) => sum + key.length + values.join().length + 2, 0);
  return atKeyValues.warning(
    length > longestTargeting,
    `The key values of ${place} have ${length} characters together`,
    `Keep them below ${longestTargeting}, else the ad request may be refused: activate fewer cohorts for Google.`,
  );
};
