import { codesOf } from '../../model/cohorts';
import type { Page } from '../../platform/platform';
import { readOf } from '../doctor/askPage';
import { resourcesOf } from '../doctor/network';
import type { InspectedPage } from '../inspectedPage';
import { rememberedEvents, storedJson } from '../ui/pageReads';
import { type AdRequest, type AdRequestRow, adRequestRows, type KnownCodes } from './adRequest';
import { adServerRequests } from './adServers';
import { listOf, member, openRtbCodes, openRtbEntries, openRtbGroup } from './openRtb';
import { storedCodes } from './storedCodes';
import type { ToldEntries } from './toldEntries';

type SeenPage = Pick<InspectedPage, 'tag' | 'world'>;

/**
 * The ad requests of the page, and what each lacks of what the SDK knows. `told`: the entries of taxonomies that
 * partners are told now; undefined where that is not known.
 */
export const adRequestsOnPage = (page: SeenPage, told: ToldEntries | undefined): readonly AdRequestRow[] =>
  adRequestRows(seenRequests(page), knownOnPage(page, told));

/** A moment of the clock as ms since the navigation began. `time`: ISO text, or ms since 1970. */
export const sinceNavigation = ({ global }: Pick<Page, 'global'>, time: string | number): number =>
  new Date(time).getTime() - readOf(() => (global('performance') as Performance).timeOrigin, 0);

/**
 * Ad servers are seen by the addresses of the browser's list of requests, which has no bodies. The requests to Prebid's
 * bidders are those that Prebid remembers. Where the browser has dropped Google's addresses, the events of the addon
 * `dfp` stand in for them, which have no slot and begin with the SDK.
 */
const seenRequests = ({ tag, world }: SeenPage): readonly AdRequest[] => {
  const addressed = resourcesOf(world).flatMap(({ name, startTime }) => adServerRequests(name, startTime));
  return [
    ...addressed,
    ...(addressed.some(({ partner }) => partner === 'google') ? [] : trackedRequests(tag, world.page)),
    ...auctionRequests(world.page),
  ];
};

const trackedRequests = (tag: InspectedPage['tag'], page: Page): readonly AdRequest[] =>
  rememberedEvents(tag)
    .filter(({ name }) => name === 'AdRequest')
    .map(({ time, properties }) => ({
      partner: 'google',
      bidder: 'Google',
      slot: '',
      at: sinceNavigation(page, time),
      codes: listOf(properties?.['cohorts']).map(String),
    }));

/** The parts of Prebid that are read. https://docs.prebid.org/dev-docs/publisher-api-reference/getEvents.html */
interface EventHistory {
  readonly getEvents?: () => readonly {
    readonly eventType?: string;
    readonly elapsedTime?: number;
    readonly args?: unknown;
  }[];
  readonly getConfig?: (name: string) => unknown;
  readonly installedModules?: readonly string[];
}

/** The names of the modules that are in the page's Prebid; empty without Prebid. */
export const prebidModules = ({ global }: Page): readonly string[] =>
  readOf(() => listOf((global('pbjs') as EventHistory | undefined)?.installedModules).map(String), []);

/** Each bid that Prebid has asked a bidder for. */
const auctionRequests = ({ global }: Page): readonly AdRequest[] =>
  readOf<readonly AdRequest[]>(
    () =>
      ((global('pbjs') as EventHistory | undefined)?.getEvents?.() ?? [])
        .filter(({ eventType }) => eventType === 'bidRequested')
        .flatMap(({ args, elapsedTime = 0 }) =>
          listOf(member(args, 'bids')).map((bid) => ({
            partner: 'prebid' as const,
            bidder: String(member(args, 'bidderCode')),
            slot: String(member(bid, 'adUnitCode')),
            at: elapsedTime,
            auction: String(member(args, 'auctionId')),
            codes: openRtbCodes(member(bid, 'ortb2')),
            entries: openRtbEntries(member(bid, 'ortb2')),
            group: openRtbGroup(member(bid, 'ortb2')),
          })),
        ),
    [],
  );

/** What the SDK knows for each partner. What was stored before the page is what it has not found on this page. */
const knownOnPage = ({ tag, world }: SeenPage, told: ToldEntries | undefined): ((request: AdRequest) => KnownCodes) => {
  const events = rememberedEvents(tag);
  const idsIn = (wanted: string): readonly string[] =>
    events.filter(({ name }) => name === wanted).map(({ properties }) => String(properties?.['segment_number']));
  const namesOf = (ids: readonly string[]): readonly string[] => [...ids, ...codesOf(ids, world.project)];
  const entered = new Set(namesOf(idsIn('SegmentEntry')));
  const leftIds = idsIn('SegmentExit');
  const leftCodes = namesOf(leftIds);
  const params = moduleParams(world.page);
  return (request) => {
    const now = storedCodes(request, storedJson(world), params);
    const before = now.filter((code) => !entered.has(code));
    if (told === undefined) return { before, now, left: leftCodes };
    const { members, entriesOf } = told;
    const steady = entriesOf(
      request.partner,
      members.filter((id) => !leftIds.includes(id)),
    );
    const entries = entriesOf(request.partner, members);
    return { before, now, entries, left: [...leftCodes, ...entries.filter((entry) => !steady.includes(entry))] };
  };
};

/** What the page tells Prebid's module for this SDK. */
const moduleParams = ({ global }: Page): unknown =>
  readOf(() => {
    const config = (global('pbjs') as EventHistory | undefined)?.getConfig?.('realTimeData');
    const provider = listOf(member(config, 'dataProviders')).find((each) => member(each, 'name') === 'permutive');
    return member(provider, 'params');
  }, undefined);
