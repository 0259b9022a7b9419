import { lineItems } from './lineItems';

/** One slot of an ad request. */
export interface AskedSlot {
  readonly adUnitPath: string;
  readonly sizes: readonly (readonly [width: number, height: number])[];
  /** The slot's own key values. */
  readonly targeting: Readonly<Record<string, readonly string[]>>;
}

/** An ad request before it becomes an address. */
export interface AdRequest {
  readonly slots: readonly AskedSlot[];
  /** Key values of the page. */
  readonly targeting: Readonly<Record<string, readonly string[]>>;
  readonly correlator: number;
  readonly ppid?: string | undefined;
}

/** What the ad server answers for one slot; null where it has no ad. */
export type Answer = {
  readonly creative: string;
  readonly isSafeFrame: boolean;
  readonly isBackfill: boolean;
  readonly lineItemId: number;
  readonly creativeId: number;
  readonly campaignId: number;
  readonly advertiserId: number;
  /** The key values that the request was judged by, for the reader of the demo. */
  readonly targeting: Readonly<Record<string, readonly string[]>>;
} | null;

/** Ad requests of more characters are cut off (support.google.com/admanager/answer/6123466). */
export const maxAddressLength = 15_360;
/** The mark of an address that was cut off, by which Google's own AMP ads name it (ampproject/amphtml, pull 23945). */
const truncated = '&trunc=1';
/** Characters of a key that Ad Manager knows (support.google.com/admanager/answer/1628457). */
const maxKeyLength = 20;

/** Key values as Ad Manager takes them: `section=blog&key=a,b` (support.google.com/admanager/answer/1080597). */
const keyValues = (targeting: AskedSlot['targeting']): string =>
  Object.entries(targeting)
    .filter(([, values]) => values.length > 0)
    .map(([key, values]) => `${key}=${values.map(encodeURIComponent).join()}`)
    .join('&');

const readKeyValues = (text: string): Record<string, readonly string[]> =>
  Object.fromEntries(
    text
      .split('&')
      .filter((pair) => pair.includes('='))
      .map((pair) => {
        const [key = '', values = ''] = pair.split('=');
        return [key, values.split(',').map(decoded)] as const;
      })
      // A name that is too long names no key.
      .filter(([key]) => key.length <= maxKeyLength),
  );

/** A text that was cut off may end within a character. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * The address of an ad request. The names `iu`, `sz`, `cust_params`, `correlator` and `ppid` are Google's; that slots
 * repeat theirs, and that the key values of the page stand last, is the stand-in's own way.
 */
export const addressOf = ({ slots, targeting, correlator, ppid }: AdRequest): string => {
  const query = new URLSearchParams({ correlator: String(correlator), ...(ppid !== undefined && { ppid }) });
  for (const { adUnitPath, sizes, targeting: own } of slots) {
    query.append('iu', adUnitPath);
    query.append('sz', sizes.map((size) => size.join('x')).join('|'));
    query.append('scp', keyValues(own));
  }
  query.append('cust_params', keyValues(targeting));
  const address = `https://ad-server.example/gampad/ads?${query.toString()}`;
  return address.length <= maxAddressLength
    ? address
    : address.slice(0, maxAddressLength - truncated.length).replace(/%[\dA-F]?$/, '') + truncated;
};

/**
 * Answers by the address alone, so that what was cut off does not count. A slot's own values of a key replace those of
 * the page. An ad unit that ends with `/unsold` has no ad, and one that ends with `/backfill` has one of an exchange.
 */
export const answersTo = (address: string): readonly Answer[] => {
  const query = new URL(address).searchParams;
  const page = readKeyValues(query.get('cust_params') ?? '');
  const own = query.getAll('scp').map(readKeyValues);
  return query.getAll('iu').map((adUnitPath, i) => answer(adUnitPath, { ...page, ...own[i] }));
};

const answer = (adUnitPath: string, targeting: AskedSlot['targeting']): Answer => {
  if (adUnitPath.endsWith('/unsold')) return null;
  const wanted = targeting['permutive'] ?? [];
  const item = lineItems.find(({ cohorts }) => cohorts.length === 0 || cohorts.some((code) => wanted.includes(code)));
  return item === undefined
    ? null
    : { isSafeFrame: false, ...item, targeting, isBackfill: adUnitPath.endsWith('/backfill') };
};
