import type { Finding } from '../../model/finding';
import { type AdRequestRow, firstOfEach, requestText } from '../adRequests/adRequest';
import { prebidModules, sinceNavigation } from '../adRequests/seenOnPage';
import type { InspectedPage } from '../inspectedPage';
import { googleTargeting, rememberedEvents } from '../ui/pageReads';
import { findingsAt, namedText } from './finding';
import type { Resource } from './network';
import { isCompanion, isTag, type PageScript } from './tag';

const atAdRequests = findingsAt('ad requests');

/** The ad requests of the page: what they lacked, and whether the companion could help the first of them. */
export const adRequestFacts = (
  page: InspectedPage,
  rows: readonly AdRequestRow[],
  scripts: readonly PageScript[],
  resources: readonly Resource[],
  isCompanionWanted: boolean,
) => {
  const workspace = page.world.project.workspaceId;
  const bundle = resources.find(({ name }) => name.split(/[?#]/)[0]?.endsWith(`/${workspace}-web.js`));
  const companionAt = scripts.findIndex(isCompanion);
  return {
    workspace,
    /** Whether the page has an ad tag that the companion tells. */
    isCompanionWanted,
    /**
     * Whether the page has the companion. The companion leaves nothing behind that the SDK does not replace. The
     * companion's script element shows it; where a tag manager has removed the element, codes in a request before the
     * bundle do.
     */
    hasCompanion:
      companionAt !== -1 || rows.some(({ at, codes = [] }) => codes.length > 0 && at < (bundle?.responseEnd ?? 0)),
    /** Whether the companion stands before the tag, without which it does nothing. */
    isCompanionFirst:
      companionAt !== -1 && companionAt < scripts.findIndex((each) => isTag(each.text) && !isCompanion(each)),
    late: lateRequests(page, rows),
    erased: erasedRequests(rows),
    /** Modules of Prebid's that keep data from bidders where the law or the page's rules ask for it. */
    consentModules: prebidModules(page.world.page).filter((name) => /Control|allowActivities/.test(name)),
  };
};
type AdRequestFacts = ReturnType<typeof adRequestFacts>;

/** The first requests that lacked codes, the earliest of each bidder. */
const lateRequests = (page: InspectedPage, rows: readonly AdRequestRow[]) => {
  const late = rows.filter(({ isFirst, missing, entered }) => isFirst && missing.length + entered.length > 0);
  const cameAt = momentOfCodes(page);
  return firstOfEach(late).map(({ partner, bidder, slot, at, missing, codes = [] }) => ({
    partner,
    bidder,
    slot,
    /** How long after the request the SDK had handed on codes, in ms; undefined where nothing says so. */
    byMs: cameAt(at),
    /** Whether the request could have carried codes that the last page has stored. */
    isAvoidable: missing.length > 0,
    /** Whether the request carried other codes. */
    isPartly: codes.length > 0,
    /** How many more slots lacked codes in their first request to the same bidder. */
    others: late.filter((each) => isOf(each, partner, bidder)).length - 1,
  }));
};

/** The requests that lacked what an earlier one had, the earliest of each bidder. */
const erasedRequests = (rows: readonly AdRequestRow[]) => {
  const erased = rows.filter(({ erasedCodes, erasedEntries }) => erasedCodes.length + erasedEntries.length > 0);
  return firstOfEach(erased).map(({ partner, bidder, slot, at, erasedCodes, erasedEntries }) => ({
    partner,
    bidder,
    slot,
    at,
    erasedCodes,
    erasedEntries,
  }));
};

const isOf = (row: AdRequestRow, partner: AdRequestRow['partner'], bidder: string): boolean =>
  row.partner === partner && row.bidder === bidder;

/**
 * When the SDK had handed on codes, as ms after a request: its stages say so, and the key value `ptime` has the time of
 * the last change.
 */
const momentOfCodes = ({ tag, world: { page } }: InspectedPage): ((at: number) => number | undefined) => {
  const [ofPage] = googleTargeting(page);
  const changes = [
    ...rememberedEvents(tag)
      .filter(({ name }) => name === 'permutive:ready' || name === 'permutive:realtime')
      .map(({ time }) => time),
    ...(ofPage?.[1]['ptime'] ?? []).map(Number),
  ].map((time) => sinceNavigation(page, time));
  return (at) => {
    const later = changes.filter((change) => change > at);
    return later.length === 0 ? undefined : Math.round(Math.min(...later) - at);
  };
};

/** What is to be said of the companion and of the first ad requests. */
export const adRequestFindings = (requests: AdRequestFacts): readonly Finding[] => {
  const { workspace, isCompanionWanted, hasCompanion, isCompanionFirst, late, erased, consentModules } = requests;
  return [
    ...atAdRequests.warning(
      isCompanionWanted && !hasCompanion,
      'The companion is missing, so that ad requests carry no cohorts until the SDK has loaded',
      `Put the text of dist/${workspace}-companion.js into a script element after the tag, before any ad tag. dist/${workspace}-head.html has the whole head.`,
    ),
    ...atAdRequests.warning(
      isCompanionFirst,
      'The companion stands before the tag, finds none and does nothing',
      'Put the companion after the tag, before any ad tag.',
    ),
    ...late.flatMap((each) => lateFindings(each, hasCompanion)),
    ...erased.flatMap((each) => erasedFindings(each, consentModules)),
  ];
};

const erasedFindings = (
  { erasedCodes, erasedEntries, ...request }: AdRequestFacts['erased'][number],
  consentModules: readonly string[],
): readonly Finding[] => {
  const { partner } = request;
  const where = requestText(request);
  const modules = consentModules.length === 0 ? '' : ` This page has ${consentModules.join(', ')}.`;
  return [
    ...atAdRequests.warning(
      erasedCodes.length > 0,
      `${where} lacks codes that an earlier one had: ${namedText(erasedCodes)}`,
      partner === 'prebid' ? `${rtdFix}${modules}` : keyFix,
    ),
    ...atAdRequests.warning(
      erasedEntries.length > 0,
      `${where} lacks entries of taxonomies that ${partner === 'prebid' ? 'another one' : 'an earlier one'} had: ${namedText(erasedEntries)}`,
      partner === 'prebid' ? `${dataFix}${modules}` : signalsFix,
    ),
  ];
};

const keyFix =
  'Another script has set the key permutive, or has cleared it by a method that it kept from before the SDK. Let it use keys of its own, and call the tag’s own methods. The command companion names the script.';
const signalsFix =
  'Another script has set publisher provided signals by a method that it kept from before the SDK. Let it call googletag.setConfig, and the SDK adds its own. The command companion names the script.';
const rtdFix =
  'Prebid’s module permutiveRtdProvider has added codes to an earlier auction, and not to this one: see that its settings stand, and that the visitor allows the publisher and the bidder to have them.';
const dataFix =
  'A module of Prebid takes data of the visitor out: see what the visitor allows the bidder, and the rules of the modules for consent and activities.';

const lateFindings = (
  { partner, bidder, slot, byMs, isAvoidable, isPartly, others }: AdRequestFacts['late'][number],
  hasCompanion: boolean,
): readonly Finding[] => {
  const where = `the first request of ${partner === 'prebid' ? `${bidder} for ` : ''}slot ${slot || 'without a name'}`;
  const came =
    byMs === undefined
      ? `Codes were missing in ${where}`
      : `${isPartly ? 'More codes' : 'Codes'} came ${byMs} ms after ${where}`;
  const more = others === 0 ? '' : `, and after those of ${others} more`;
  if (!isAvoidable)
    return atAdRequests.info(
      !isPartly,
      `${came}${more}: nothing was stored of the visitor before`,
      'Nothing is wrong: the first page of a visitor has codes once it has evaluated them.',
    );
  return atAdRequests.warning(true, `${came}${more}`, partner === 'prebid' ? prebidFix : adServerFix(hasCompanion));
};

const prebidFix =
  'Put permutiveRtdProvider into the build of Prebid, set it up before the first auction, and see that consent is given by then.';

const adServerFix = (hasCompanion: boolean): string =>
  hasCompanion
    ? 'Put the companion before the first script that asks for ads, and see that the page gives consent before that script.'
    : 'Put the companion into the page, which hands on the codes that the last page has stored.';
