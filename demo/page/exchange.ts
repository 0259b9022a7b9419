import * as t from 'io-ts';

const Data = t.type({ name: t.string, segment: t.array(t.type({ id: t.string })) });
export const BidRequest = t.type({
  bidder: t.string,
  request: t.string,
  user: t.partial({ data: t.array(t.union([Data, t.UnknownRecord])) }),
});
type BidRequest = t.TypeOf<typeof BidRequest>;

interface Bidder {
  readonly name: string;
  readonly creative: string;
  readonly advertiser: string;
  readonly domain: string;
  /** What an impression is worth of which nothing is known, and each interest on top. */
  readonly floor: number;
  readonly perInterest: number;
}

/** The demo's bidders. The project names the first two in `acBidders`; the third hears nothing. */
export const bidders: Readonly<Record<string, Bidder>> = {
  northfield: {
    name: 'Northfield',
    creative: 'security',
    advertiser: 'Northfield Cloud',
    domain: 'northfield.example',
    floor: 0.4,
    perInterest: 0.55,
  },
  harbour: {
    name: 'Harbour',
    creative: 'business',
    advertiser: 'Harbour Business Bank',
    domain: 'harbour.example',
    floor: 0.55,
    perInterest: 0.3,
  },
  quiet: {
    name: 'Quiet Lane',
    creative: 'markets',
    advertiser: 'Calder & Hale Funds',
    domain: 'calder-hale.example',
    floor: 0.7,
    perInterest: 0.1,
  },
};

/** Answers a bid request of the demo's auction: what the bidder was told, and its bid. Null for an unknown bidder. */
export const bidOn = ({ bidder: code, request, user }: BidRequest) => {
  const bidder = Object.hasOwn(bidders, code) ? bidders[code] : undefined;
  if (bidder === undefined) return null;
  const told = (name: string): readonly string[] =>
    (user.data ?? []).filter(Data.is).flatMap((data) => (data.name === name ? data.segment.map(({ id }) => id) : []));
  const heard = { standard: told('permutive.com'), custom: told('permutive') };
  const interests = Math.min(8, heard.standard.length + heard.custom.length);
  const targeting = interests === 0 ? {} : { p_standard: heard.standard, permutive: heard.custom };
  return {
    heard,
    bid: {
      requestId: request,
      cpm: Number((bidder.floor + interests * bidder.perInterest).toFixed(2)),
      currency: 'USD',
      width: 300,
      height: 250,
      creativeId: `${code}-${bidder.creative}`,
      netRevenue: true,
      ttl: 300,
      adUrl: `/ad?${new URLSearchParams({ creative: bidder.creative, w: '300', h: '250', by: 'auction', targeting: JSON.stringify(targeting) }).toString()}`,
      meta: { advertiserName: bidder.advertiser, advertiserDomains: [bidder.domain] },
    },
  };
};
