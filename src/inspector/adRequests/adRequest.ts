/** An entry of a public taxonomy, as a request says it of the visitor or of the content. */
export interface SaidEntry {
  /** The number of the taxonomy and the id of the entry, such as `4:364`. */
  readonly entry: string;
  /** Under which name it is said; undefined where the request does not tell. */
  readonly by?: string | undefined;
}

/** An entry in words: `4:364 (publisher.example)`. */
export const entryText = ({ entry, by }: SaidEntry): string => (by === undefined ? entry : `${entry} (${by})`);

/** One request for an ad, as far as somebody can see the request from where they look. */
export interface AdRequest {
  readonly partner: 'google' | 'appnexus' | 'prebid';
  /** The name of the ad server; where Prebid asks, the code of the bidder. */
  readonly bidder: string;
  /** The ad unit, tag or place; empty where the request does not say. */
  readonly slot: string;
  /** When the request began, in ms since the navigation began. */
  readonly at: number;
  /** The auction of Prebid’s that the request is part of. */
  readonly auction?: string | undefined;
  /** The cohort codes in the request; undefined where its body cannot be seen. */
  readonly codes: readonly string[] | undefined;
  /** The entries of taxonomies in the request; undefined where they cannot be seen. */
  readonly entries?: readonly SaidEntry[] | undefined;
  /** The visitor's group that the request says; empty where it says none, undefined where that cannot be seen. */
  readonly group?: string | undefined;
  /** Whether the request says, by the mark `rts`, that the page has evaluated its codes. */
  readonly isRealtime?: boolean | undefined;
}

/** A request in words: `The request of ix for slot top at 340 ms`. */
export const requestText = ({ partner, bidder, slot, at }: Pick<AdRequest, 'partner' | 'bidder' | 'slot' | 'at'>) =>
  `The request of ${partner === 'prebid' ? `${bidder} for ` : ''}slot ${slot || 'without a name'} at ${Math.round(at)} ms`;

/** The first one of each bidder in a list of requests. */
export const firstOfEach = <Row extends Pick<AdRequest, 'partner' | 'bidder'>>(rows: readonly Row[]): readonly Row[] =>
  rows.filter(
    ({ partner, bidder }, i) => rows.findIndex((each) => each.partner === partner && each.bidder === bidder) === i,
  );

/** What the SDK knows for the partner of a request. */
export interface KnownCodes {
  /** Codes that were stored when the page began. */
  readonly before: readonly string[];
  /** Codes that are stored now. */
  readonly now: readonly string[];
  /** Entries of taxonomies that the partner is told now; undefined where that is not known. */
  readonly entries?: readonly string[] | undefined;
  /** Codes and entries of cohorts that the visitor has left on this page, and may have entered again. */
  readonly left?: readonly string[];
}

/** A request and what it lacks of what the SDK knows at the end. */
export interface AdRequestRow extends AdRequest {
  /** Whether the page has made no earlier request to that bidder for that slot. */
  readonly isFirst: boolean;
  /**
   * Codes that were stored when the page began, so that the request could have carried them. Codes that the page has
   * evaluated itself have taken the place of those, so such a request lacks none.
   */
  readonly missing: readonly string[];
  /** Codes of cohorts that the visitor has entered on this page since the request. */
  readonly entered: readonly string[];
  /** Codes that an earlier request to the bidder for that slot had: something has taken them out since. */
  readonly erasedCodes: readonly string[];
  /** Entries that an earlier request to the partner, or one of the same auction, had: something has taken them out. */
  readonly erasedEntries: readonly string[];
  /** Other entries that the partner is told now: the SDK did not know of them yet, or had not reached the partner. */
  readonly laterEntries: readonly string[];
}

/** The table of ad requests in the order of time. `known` answers what the SDK knows for the partner of a request. */
export const adRequestRows = (
  requests: readonly AdRequest[],
  known: (request: AdRequest) => KnownCodes,
): readonly AdRequestRow[] => {
  const slots = new Set<string>();
  const codesOf = setsByKey();
  const entriesOf = setsByKey();
  // The requests of an auction are made together, in an order that says nothing.
  for (const { auction, entries = [] } of requests)
    if (auction !== undefined) addAll(entriesOf(`auction ${auction}`), entries.map(entryOf));
  return [...requests]
    .sort((a, b) => a.at - b.at)
    .map((request) => {
      const { partner, bidder, slot, auction, codes } = request;
      const key = [partner, bidder, slot].join('\n');
      const isFirst = !slots.has(key);
      slots.add(key);
      // A request without entries says that there are none where an earlier one for the slot had some.
      const entries = request.entries ?? (entriesOf(key).size > 0 ? [] : undefined);
      // What the request has itself, it does not lack: so what is added here belongs to the next ones.
      addAll(codesOf(key), codes ?? []);
      for (const each of [key, partner]) addAll(entriesOf(each), (entries ?? []).map(entryOf));
      const hadEntries = [entriesOf(partner), ...(auction === undefined ? [] : [entriesOf(`auction ${auction}`)])];
      return {
        ...request,
        entries,
        isFirst,
        ...lackingIn({ ...request, entries }, known(request), {
          hadCode: (code) => codesOf(key).has(code),
          hadEntry: (entry) => hadEntries.some((had) => had.has(entry)),
        }),
      };
    });
};

/** What earlier requests had. */
interface Earlier {
  readonly hadCode: (code: string) => boolean;
  readonly hadEntry: (entry: string) => boolean;
}

const lackingIn = (
  { codes, entries, isRealtime = false }: AdRequest,
  { before, now, entries: told = [], left = [] }: KnownCodes,
  { hadCode, hadEntry }: Earlier,
): Omit<AdRequestRow, keyof AdRequest | 'isFirst'> => {
  const lackingCodes = codes === undefined ? [] : now.filter((code) => !codes.includes(code));
  const isErased = (code: string): boolean => hadCode(code) && !left.includes(code);
  const isMissing = (code: string): boolean => !isRealtime && before.includes(code);
  const newCodes = lackingCodes.filter((code) => !isErased(code));
  const said = entries?.map(entryOf);
  const lackingEntries = said === undefined ? [] : told.filter((entry) => !said.includes(entry));
  const isTakenOut = (entry: string): boolean => hadEntry(entry) && !left.includes(entry);
  return {
    missing: newCodes.filter(isMissing),
    entered: newCodes.filter((code) => !isMissing(code)),
    erasedCodes: lackingCodes.filter(isErased),
    erasedEntries: lackingEntries.filter(isTakenOut),
    laterEntries: lackingEntries.filter((entry) => !isTakenOut(entry)),
  };
};

const entryOf = ({ entry }: SaidEntry): string => entry;

const setsByKey = (): ((key: string) => Set<string>) => {
  const sets = new Map<string, Set<string>>();
  return (key) => {
    const found = sets.get(key) ?? new Set();
    sets.set(key, found);
    return found;
  };
};

const addAll = (set: Set<string>, values: readonly string[]): void => values.forEach((value) => set.add(value));
