import type { AdRequest } from '../../src/inspector/adRequests/adRequest';
import { adServerRequests, adServers, type SlotCodes } from '../../src/inspector/adRequests/adServers';
import {
  keyedCodes,
  keywordCodes,
  listOf,
  member,
  openRtbCodes,
  openRtbEntries,
  openRtbGroup,
  saidGroup,
  unique,
} from '../../src/inspector/adRequests/openRtb';

/** A request of a page, as a browser that is followed from outside shows it. */
export interface FollowedRequest {
  readonly url: string;
  /** The body as text; empty without one. */
  readonly body: string;
  /** Ms since the navigation began. */
  readonly at: number;
}

interface BodyReader extends Pick<AdRequest, 'partner'> {
  readonly address: RegExp;
  /** Code of the bidder; without one, the request says it, or its host stands in for it. */
  readonly bidder?: string;
  readonly slotsOf: (request: ParsedRequest) => readonly SlotCodes[];
}

interface ParsedRequest {
  readonly url: URL;
  /** The body as JSON; undefined where it is none. */
  readonly body: unknown;
}

const seller = adServers.find(({ partner }) => partner === 'appnexus')!;

/**
 * A request to AppNexus: keywords of all tags beside the tags, and those of one tag in it, each as `{ key, value }`
 * (public source of `appnexusBidAdapter`, Prebid.js 11.36.0; the seller tag asks the same service).
 */
const appnexusSlots = ({ body }: ParsedRequest): readonly SlotCodes[] => {
  const ofAll = keyValueCodes(member(body, 'keywords'));
  return listOf(member(body, 'tags')).map((tag) =>
    markedCodes(
      textOf(member(tag, 'gpid') ?? member(tag, 'id')),
      [...ofAll, ...keyValueCodes(member(tag, 'keywords'))],
      [member(tag, 'keywords'), member(body, 'keywords')].flatMap(keyValueGroups)[0] ?? '',
    ),
  );
};

/** Codes among which the mark `rts` may be. */
const markedCodes = (slot: string, codes: readonly string[], group: string): SlotCodes => ({
  slot,
  codes: unique(codes),
  group,
  isRealtime: codes.includes('rts'),
});

/** Each pair of a key and its values as an object. */
const keyedPairs = (pairs: unknown): readonly object[] =>
  listOf(pairs).map((pair) => ({ [String(member(pair, 'key'))]: member(pair, 'value') }));
const keyValueCodes = (pairs: unknown): readonly string[] => keyedPairs(pairs).flatMap(keyedCodes);
const keyValueGroups = (pairs: unknown): readonly string[] =>
  keyedPairs(pairs)
    .map(saidGroup)
    .filter((said) => said !== '');

/** A request in the form of OpenRTB 2, which names each place in `imp`. */
const openRtbSlots = ({ body }: ParsedRequest): readonly SlotCodes[] => {
  const codes = openRtbCodes(body);
  const entries = openRtbEntries(body);
  const group = openRtbGroup(body);
  return listOf(member(body, 'imp')).map((imp) => ({
    slot: textOf(member(member(imp, 'ext'), 'gpid') ?? member(imp, 'tagid') ?? member(imp, 'id')),
    codes,
    entries,
    group,
  }));
};

/**
 * A request to Rubicon, all of which is in its address: `tg_v.permutive` and `tg_v.p_standard` are of the visitor, `kw`
 * are keywords, `tg_v.iab` are entries of the taxonomy 4, and `tg_fl.eid` names the places, with `;` between two
 * (public source of `rubiconBidAdapter`, Prebid.js 11.36.0).
 */
const rubiconSlots = ({ url: { searchParams } }: ParsedRequest): readonly SlotCodes[] => {
  const ofVisitor = [...searchParams]
    .filter(([name]) => name.startsWith('tg_v.'))
    .map(([name, values]): [string, readonly string[]] => [name.slice('tg_v.'.length), values.split(/[,;]/)]);
  const keyed = Object.fromEntries(ofVisitor);
  const codes = unique([...keyedCodes(keyed), ...keywordCodes(searchParams.get('kw'))]);
  const ids = (searchParams.get('tg_v.iab') ?? '').split(',').filter((id) => id !== '');
  const entries = ids.map((id) => ({ entry: `4:${id}` }));
  return (searchParams.get('tg_fl.eid') ?? '')
    .split(';')
    .map((slot) => ({ slot, codes, entries, group: saidGroup(keyed) }));
};

/** The frame of the demo's stand-in for Google (demo/page/standIns/googletag), whose address has the targeting. */
const standInFrame = ({ url: { searchParams } }: ParsedRequest): readonly SlotCodes[] => {
  const targeting = parsedText(searchParams.get('targeting') ?? '');
  return [markedCodes(searchParams.get('ad_unit_path') ?? '', keyedCodes(targeting), saidGroup(targeting))];
};

/**
 * Readers of requests that an address alone does not tell, by partner. The first reader whose address fits reads the
 * request. The last two lines before OpenRTB are the demo's stand-ins: an address that changes there is changed here.
 */
const bodyReaders: readonly BodyReader[] = [
  { ...seller, slotsOf: appnexusSlots },
  { partner: 'prebid', bidder: 'appnexus', address: /adnxs(-simple)?\.com\/ut\/v3\/prebid/, slotsOf: appnexusSlots },
  { partner: 'prebid', bidder: 'rubicon', address: /rubiconproject\.com\/a\/api\/fastlane/, slotsOf: rubiconSlots },
  ...Object.entries({
    ix: /casalemedia\.com\/openrtb/,
    pubmatic: /pubmatic\.com\/translator/,
    openx: /openx\.net\/openrtb/,
    msft: /adnxs(-simple)?\.com\/openrtb2\/prebidjs/,
    criteo: /criteo\.com\/openrtb/,
    ttd: /adsrvr\.org\/bid\/bidder/,
  }).map(([bidder, address]) => ({ partner: 'prebid' as const, bidder, address, slotsOf: openRtbSlots })),
  {
    partner: 'google',
    bidder: 'Google (stand-in)',
    address: /^[^?]*\/ad\?(?=.*ad_unit_path=).*targeting=/,
    slotsOf: standInFrame,
  },
  {
    partner: 'prebid',
    address: /\/exchange$/,
    slotsOf: ({ body }) => [
      { slot: '', codes: openRtbCodes(body), entries: openRtbEntries(body), group: openRtbGroup(body) },
    ],
  },
  { partner: 'prebid', address: /^http/, slotsOf: openRtbSlots },
];

/** The ad requests that a page has made, out of all its requests. */
export const adRequestsIn = (followed: readonly FollowedRequest[]): readonly AdRequest[] =>
  followed.flatMap(({ url, body, at }) => {
    const addressed = adServerRequests(url, at).filter(({ codes }) => codes !== undefined);
    if (addressed.length > 0 || !URL.canParse(url)) return addressed;
    const reader = bodyReaders.find(({ address }) => address.test(url));
    const parsed = { url: new URL(url), body: parsedText(body) };
    const bidder = reader?.bidder ?? textOf(member(parsed.body, 'bidder') ?? parsed.url.host);
    return reader === undefined
      ? []
      : reader.slotsOf(parsed).map((slotCodes) => ({ partner: reader.partner, bidder, at, ...slotCodes }));
  });

const textOf = (given: unknown): string =>
  typeof given === 'string' || typeof given === 'number' ? String(given) : '';

/** A text as JSON; undefined where it is none. */
export const parsedText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
