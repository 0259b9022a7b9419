import { lastValueFrom, map, takeUntil, takeWhile, timer } from 'rxjs';

import type { Finding } from '../../model/finding';
import type { AdRequestRow } from '../adRequests/adRequest';
import { adRequestsOnPage, sinceNavigation } from '../adRequests/seenOnPage';
import type { InspectedPage } from '../inspectedPage';
import { googleTargeting, rememberedEvents } from '../ui/pageReads';
import { findingsAt } from './finding';
import type { Resource } from './network';
import { isCompanion, isTag, type PageScript } from './tag';

const atAdRequests = findingsAt('ad requests');

/**
 * How long a cohort that the visitor has entered may take until its event says so, in ms: it is published after 500 ms
 * without another one, and later on a busy page.
 */
const entryPatience = 3_000;
const lookEveryMs = 250;

/** The ad requests, once each code that they lack is known to be older than the page or to have come with it. */
const settledAdRequests = (page: InspectedPage): Promise<readonly AdRequestRow[]> => {
  const rows$ = timer(0, lookEveryMs).pipe(
    map(() => adRequestsOnPage(page)),
    takeWhile((rows) => rows.some(({ missing }) => missing.length > 0), true),
    takeUntil(timer(entryPatience)),
  );
  return lastValueFrom(rows$, { defaultValue: [] });
};

/** The first ad requests of the page, and whether the companion could help them. */
export const adRequestFacts = async (
  page: InspectedPage,
  scripts: readonly PageScript[],
  resources: readonly Resource[],
  isCompanionWanted: boolean,
) => {
  const rows = await settledAdRequests(page);
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
  };
};
type AdRequestFacts = Awaited<ReturnType<typeof adRequestFacts>>;

/** The first requests that lacked codes, the earliest of each bidder. */
const lateRequests = (page: InspectedPage, rows: readonly AdRequestRow[]) => {
  const late = rows.filter(({ isFirst, missing, entered }) => isFirst && missing.length + entered.length > 0);
  const cameAt = momentOfCodes(page);
  return late
    .filter(({ partner, bidder }, i) => late.findIndex((each) => isOf(each, partner, bidder)) === i)
    .map(({ partner, bidder, slot, at, missing, codes = [] }) => ({
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
  const { workspace, isCompanionWanted, hasCompanion, isCompanionFirst, late } = requests;
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
  ];
};

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
