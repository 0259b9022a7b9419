import { boughtCodes, codesAt, keyOfBidder, type ReadKey, standardCodes } from '../../model/bidderCodes';
import { localKeys, partnerKeys } from '../../model/storageKeys';
import type { AdRequest } from './adRequest';
import { listOf, member, unique } from './openRtb';

/**
 * The codes that the SDK has stored for the partner of a request. `pageParams`: parameters that the page gives Prebid's
 * module for this SDK.
 */
export const storedCodes = (
  { partner, bidder }: Pick<AdRequest, 'partner' | 'bidder'>,
  read: ReadKey,
  pageParams: unknown,
): readonly string[] => {
  if (partner === 'google') return codesAt(partnerKeys.googleAdManager, read);
  if (partner === 'appnexus') return codesAt(partnerKeys.appnexus, read);
  return bidderCodes(bidder, read, [read(localKeys.prebidConfig), pageParams]);
};

/** The module gives a bidder this many codes of a list, unless its parameters say otherwise. */
const usualSegments = 500;

/**
 * What Prebid's module gives a bidder (public source of `permutiveRtdProvider`, Prebid.js 11.36.0): only bidders that
 * the SDK, the page or the list of platforms names are given anything.
 */
const bidderCodes = (bidder: string, read: ReadKey, params: readonly unknown[]): readonly string[] => {
  const platforms = read(partnerKeys.ssps);
  const own = params.map((each) => member(member(each, 'bidders'), bidder)).find((each) => each !== undefined);
  const isAc = params.some((each) => listOf(member(each, 'acBidders')).includes(bidder));
  const isPlatform = listOf(member(platforms, 'ssps')).includes(bidder);
  if (!isAc && !isPlatform && own === undefined) return [];
  const most =
    params
      .map((each) => Number(member(each, 'maxSegs')))
      .filter(Number.isFinite)
      .at(-1) ?? usualSegments;
  const customKey = member(member(own, 'customCohorts'), 'key') ?? keyOfBidder[bidder];
  const cut = (codes: readonly string[]): readonly string[] => codes.slice(0, most);
  return unique([
    ...(isAc ? cut([...boughtCodes(read), ...standardCodes(read)]) : []),
    ...(isPlatform ? cut(listOf(member(platforms, 'cohorts')).map(String)) : []),
    ...(typeof customKey === 'string' ? cut(codesAt(customKey, read)) : []),
  ]);
};
