import { googleTaxonomies } from '../../addons/adServer/taxonomies';
import { ownEntry } from '../../hardening/ownFields';
import { readOf } from '../doctor/askPage';
import type { AdRequest, SaidEntry } from './adRequest';
import { groupKey, listOf, member, unique } from './openRtb';

/** What one slot of a request was asked for with. Codes are undefined where the address does not have them. */
export type SlotCodes = Pick<AdRequest, 'slot' | 'codes' | 'entries' | 'group' | 'isRealtime'>;

interface AdServer extends Pick<AdRequest, 'partner' | 'bidder'> {
  readonly address: RegExp;
  readonly slotsOf: (query: URLSearchParams) => readonly SlotCodes[];
}

/**
 * The ad servers whose requests are known by their addresses. To follow a change of an address, change it here; what
 * has to be read of bodies is in command/companion/bodies.ts.
 */
export const adServers = [
  {
    partner: 'google',
    bidder: 'Google',
    // The host differs by consent and region. The path is the one of https://support.google.com/admanager/answer/2623168
    // (read on 24 November 2026).
    address: /\/gampad\/ads\?/,
    slotsOf: (query) => googleSlots(query),
  },
  {
    partner: 'appnexus',
    bidder: 'AppNexus',
    // The seller tag asks there as Prebid's public adapter does, whose address goes on with `/prebid`. The domain
    // without cookies: https://learn.microsoft.com/en-us/xandr/seller-tag/set-up-placements-with-ast (24 November 2026).
    address: /\/\/ib\.adnxs(-simple)?\.com\/ut\/v3(\?|$)/,
    slotsOf: () => [{ slot: '', codes: undefined }],
  },
] as const satisfies readonly AdServer[];

/** What the address of a request says of ad requests. `at`: when the request began. */
export const adServerRequests = (address: string, at: number): readonly AdRequest[] =>
  adServers.flatMap(({ partner, bidder, address: pattern, slotsOf }) =>
    pattern.test(address)
      ? readOf<readonly SlotCodes[]>(() => slotsOf(new URL(address).searchParams), []).map((slot) => ({
          partner,
          bidder,
          at,
          ...slot,
        }))
      : [],
  );

/**
 * The slots of a request to Google. `cust_params` has the key values of the page, and `scp` or `prev_scp` those of the
 * slots, with `|` between two slots. One slot is named by `iu`; several are lists of places in `iu_parts`.
 * `cust_params` and `iu`: https://support.google.com/admanager/answer/7320899. The others: sra-utils.js of AMP's public
 * code for the same server, https://github.com/ampproject/amphtml (both read on 24 November 2026).
 */
const googleSlots = (query: URLSearchParams): readonly SlotCodes[] => {
  const ofPage = keyValuesIn(query.get('cust_params'));
  const pageCodes = ofPage('permutive');
  const ofSlots = (query.get('prev_scp') ?? query.get('scp') ?? '').split('|').map(keyValuesIn);
  const entries = signalledEntries(query.get('ppsj'));
  return googleNames(query).map((slot, i) => ({
    slot,
    codes: unique([...pageCodes, ...(ofSlots[i]?.('permutive') ?? [])]),
    entries,
    // A slot's own value hides the one of the page.
    group: ofSlots[i]?.(groupKey)[0] ?? ofPage(groupKey)[0] ?? '',
    isRealtime: pageCodes.includes('rts'),
  }));
};

const googleNames = (query: URLSearchParams): readonly string[] => {
  const parts = (query.get('iu_parts') ?? '').split(',');
  const places = query.get('enc_prev_ius');
  if (places === null) return [query.get('iu') ?? ''];
  return places.split(',').map((place) =>
    place
      .split('/')
      .filter((part) => part !== '')
      .map((part) => `/${parts[Number(part)] ?? part}`)
      .join(''),
  );
};

/**
 * The publisher provided signals of an address: JSON as base64, in the alphabet of addresses or the usual one. Google
 * documents the parameter for addresses that publishers write, and not what its tag writes. So nothing is known where
 * an address has none. https://developers.google.com/interactive-media-ads/docs/sdks/html5/client-side/pps, read on
 * 30 November 2026.
 */
const signalledEntries = (signals: string | null): readonly SaidEntry[] | undefined =>
  readOf(() => {
    if (signals === null) return undefined;
    const parsed: unknown = JSON.parse(atob(signals.replace(/-/g, '+').replace(/_/g, '/')));
    return listOf(member(parsed, 'PublisherProvidedTaxonomySignals')).flatMap((signal) => {
      const name = String(member(signal, 'taxonomy'));
      return listOf(member(signal, 'values')).map((id) => ({
        entry: `${ownEntry(googleTaxonomies, name) ?? name}:${String(id)}`,
      }));
    });
  }, undefined);

/** The values of a key in key values. Codes under `permutive` may have the mark `rts` among them. */
const keyValuesIn = (keyValues: string | null): ((key: string) => readonly string[]) => {
  const found = new URLSearchParams(keyValues ?? '');
  return (key) =>
    found
      .getAll(key)
      .flatMap((values) => values.split(','))
      .filter((value) => value !== '');
};
