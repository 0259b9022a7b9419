import { googleTaxonomies } from '../../src/addons/adServer/taxonomies';
import { ownEntry } from '../../src/hardening/ownFields';
import type { AdRequest, SaidEntry } from '../../src/inspector/adRequests/adRequest';
import { listOf, member, openRtbEntries } from '../../src/inspector/adRequests/openRtb';
import { parsedText } from './bodies';
import type { NotedCall } from './noteWrites';

/** What a script has written to a place that ad requests read. */
export interface Write {
  readonly place: 'key permutive' | 'publisher provided signals' | 'ortb2';
  /** Ms since the navigation began. */
  readonly at: number;
  /** `the SDK`, `the page` with a line, or a script's address with a line; empty where the browser does not tell. */
  readonly by: string;
  /** Codes that stand there from now on; undefined in a place of entries. */
  readonly codes?: readonly string[];
  /** Entries of taxonomies that stand there from now on; undefined in a place of codes. */
  readonly entries?: readonly SaidEntry[];
}

/** The page that was followed. */
export interface WrittenPage {
  readonly address: string;
  /** The workspace that the tag names; empty where it names none. */
  readonly workspace: string;
}

/** The writes of a page, in their order. `calls`: what the page has noted, which its scripts may have spoilt. */
export const writesIn = (calls: unknown, page: WrittenPage): readonly Write[] =>
  listOf(calls)
    .filter(isNotedCall)
    .flatMap(({ method, given, at, stack: [caller] }) =>
      writtenBy(method, listOf(parsedText(given))).map((written) => ({
        ...written,
        at,
        by: scriptIn(String(caller), page),
      })),
    );

const isNotedCall = (given: unknown): given is NotedCall =>
  typeof member(given, 'method') === 'string' &&
  typeof member(given, 'given') === 'string' &&
  typeof member(given, 'at') === 'number' &&
  Array.isArray(member(given, 'stack'));

type Written = Pick<Write, 'place' | 'codes' | 'entries'>;

const writtenBy = (method: string, [first, second]: readonly unknown[]): readonly Written[] => {
  if (method === 'pubads.setTargeting') return first === 'permutive' ? [keyWritten(second)] : [];
  if (method === 'pubads.clearTargeting') return (first ?? 'permutive') === 'permutive' ? [keyWritten([])] : [];
  if (method === 'googletag.setConfig') {
    const targeting = member(first, 'targeting');
    const codes = member(targeting, 'permutive');
    const pps = member(first, 'pps');
    return [
      ...(targeting === null || codes !== undefined ? [keyWritten(codes)] : []),
      ...(pps === undefined ? [] : [{ place: 'publisher provided signals', entries: signalled(pps) } as const]),
    ];
  }
  // Settings of single bidders stand beside those of all.
  const ortb2 = member(method === 'pbjs.setBidderConfig' ? member(first, 'config') : first, 'ortb2');
  return ortb2 === undefined ? [] : [{ place: 'ortb2', entries: openRtbEntries(ortb2) }];
};

const keyWritten = (codes: unknown): Written => ({ place: 'key permutive', codes: listOf(codes).map(String) });

const signalled = (pps: unknown): readonly SaidEntry[] =>
  Object.entries(Object(member(pps, 'taxonomies')) as object).flatMap(([name, taxonomy]) =>
    listOf(member(taxonomy, 'values')).map((id) => ({
      entry: `${ownEntry(googleTaxonomies, name) ?? name}:${String(id)}`,
    })),
  );

const sdk = 'the SDK';

/** The script of a line of a call stack: `at name (https://host/script.js:10:4)`, or without name and brackets. */
const scriptIn = (line: string, { address, workspace }: WrittenPage): string => {
  const [place = ''] = /https?:\/\/[^\s()]+/.exec(line) ?? [];
  const parts = place.split(':');
  const url = parts.slice(0, -2).join(':');
  if (!URL.canParse(url)) return '';
  const file = new URL(url).pathname.split('/').at(-1) ?? '';
  if (workspace !== '' && file.includes(`${workspace}-web.`)) return sdk;
  return `${withoutQuery(url) === withoutQuery(address) ? 'the page' : url}, line ${parts.at(-2)}`;
};

const withoutQuery = (address: string): string => address.split(/[?#]/)[0] ?? '';

const placeOf = { google: 'publisher provided signals', prebid: 'ortb2', appnexus: undefined } as const;

/** The entries that the SDK has told a partner last; undefined where the SDK has told none. `site`: the site's name. */
export const entriesToldIn = (
  writes: readonly Write[],
  partner: AdRequest['partner'],
  site: string,
): readonly string[] | undefined =>
  writes
    .filter(({ place, by }) => place === placeOf[partner] && by === sdk)
    .at(-1)
    // Prebid's setting has the lists of others too, each under its name.
    ?.entries?.filter(({ by = site }) => by === site)
    .map(({ entry }) => entry);
