import type { PrebidAuction, PrebidBid } from '../../../src/addons/adServer/pbjs';
import { type AuctionInput, auctionStep, noAuctions } from '../../../src/addons/prebid/auctions';
import { takesBidders, versionOf } from '../../../src/addons/prebid/version';

const bid: PrebidBid = {
  adId: 'ad',
  auctionId: 'a1',
  adUnitCode: 'top',
  bidder: 'ix',
  cpm: 2.5,
  currency: 'EUR',
  width: 300,
  height: 250,
  mediaType: 'banner',
  creativeId: 'cr',
  timeToRespond: 80,
  meta: { advertiserName: 'Harbour Business Bank', advertiserDomains: ['harbour.example'] },
};
const auction: PrebidAuction = {
  auctionId: 'a1',
  timestamp: 1,
  auctionEnd: 2,
  timeout: 1000,
  adUnitCodes: ['top'],
  bidsReceived: [bid, { ...bid, adId: 'other', cpm: 1 }],
  noBids: [{ bidder: 'openx', adUnitCode: 'top' }],
};
const ended = (auctionId = 'a1'): AuctionInput => ({ type: 'ended', auction: { ...auction, auctionId } });
const rendered = (more: Partial<PrebidBid> = {}, isWinning = true, chance = 0.95): AuctionInput => ({
  type: 'rendered',
  bid: { ...bid, ...more },
  isWinning,
  chance,
});

const side: Partial<PrebidBid> = { adId: 'side ad', adUnitCode: 'side' };
/** An auction of two units, with a bid for each, and a third unit without any. */
const ofTwo = (auctionId = 'a1'): AuctionInput => ({
  type: 'ended',
  auction: { ...auction, auctionId, adUnitCodes: ['top', 'side', 'foot'], bidsReceived: [bid, { ...bid, ...side }] },
});
const waited = (input: AuctionInput): AuctionInput => ({
  type: 'waited',
  bid: input.type === 'rendered' ? input.bid : bid,
});
const first = rendered();
const exit: AuctionInput = { type: 'exit' };

const names = (...inputs: readonly AuctionInput[]): readonly string[] => {
  const step = auctionStep(() => 0.9);
  let state = noAuctions;
  return inputs.flatMap((input) => {
    state = step(state, input);
    return state.drafts.map(({ name }) => name);
  });
};
const [A, B] = ['PrebidAuctions', 'PrebidBid'];

describe('auctionStep', () => {
  it.each<[string, readonly AuctionInput[], readonly (string | undefined)[]]>([
    ['an auction waits for an ad of it', [ended()], []],
    ['an ad that rendered', [ended(), rendered()], [A, B]],
    ['an ad that failed to, and won', [ended(), rendered({}, true)], [A, B]],
    ['an ad that failed to, and did not win', [ended(), rendered({}, false)], [A]],
    ['an auction is told once', [ended(), rendered(), rendered({ adId: 'second' })], [A, B, B]],
    ['a bid is told once', [ended(), rendered(), rendered()], [A, B]],
    [
      'the same ad of another auction is another bid',
      [ended(), rendered(), ended('a2'), rendered({ auctionId: 'a2' })],
      [A, B, A, B],
    ],
    ['the same ad in another place is another bid', [ended(), rendered(), rendered({ adUnitCode: 'side' })], [A, B, B]],
    ['a bid that lost first and won then', [ended(), rendered({}, false), rendered()], [A, B]],
    ['a bid that pays nothing', [ended(), rendered({ cpm: 0 })], [A]],
    ['a bid without a price', [ended(), rendered({ cpm: undefined as never })], [A]],
    ['nine in ten auctions are left out, not their bids', [ended(), rendered({}, true, 0.8999)], [B]],
    ['one that left out is cleared too', [ended(), rendered({}, true, 0), rendered({ adId: 'b' }, true, 0.99)], [B, B]],
    ['one at the threshold is in', [ended(), rendered({}, true, 0.9)], [A, B]],
    ['an ad of an auction that we have not seen', [rendered()], [B]],
    [
      'auctions that overlap',
      [ended('a1'), ended('a2'), rendered({ auctionId: 'a2' }), rendered({ auctionId: 'a1' })],
      [A, B, A, B],
    ],
    ['an auction of two units waits for the other one', [ofTwo(), rendered()], [B]],
    ['an auction of two units, once both have rendered', [ofTwo(), rendered(), rendered(side)], [B, A, B]],
    [
      'an auction of two units, once one has rendered and one failed',
      [ofTwo(), rendered(), rendered(side, false)],
      [B, A],
    ],
    ['two ads of one unit are not both units', [ofTwo(), rendered(), rendered({ adId: 'again' })], [B, B]],
    ['the wait for a second unit is over', [ofTwo(), first, waited(first)], [B, A]],
    ['only the wait since the first ad counts', [ofTwo(), first, rendered({ adId: 'b' }), waited(rendered())], [B, B]],
    ['a wait that is over when the auction was tracked', [ofTwo(), first, rendered(side), waited(first)], [B, A, B]],
    ['an ad after the wait is a bid and no other auction', [ofTwo(), first, waited(first), rendered(side)], [B, A, B]],
    ['the page exits while a unit is waited for', [ofTwo(), rendered(), exit], [B, A]],
    ['the page exits before any ad', [ofTwo(), exit, rendered(), rendered(side)], [B, A, B]],
    ['the page exits and comes back', [ofTwo(), rendered(), exit, exit, rendered(side)], [B, A, B]],
    ['two auctions wait', [ofTwo(), ofTwo('a2'), rendered(), rendered({ auctionId: 'a2' }), exit], [B, B, A, A]],
    [
      'the chance of the first ad counts',
      [
        ofTwo(),
        rendered({}, true, 0.95),
        rendered(side, true, 0),
        ofTwo('a2'),
        rendered({ auctionId: 'a2' }, true, 0),
        exit,
      ],
      [B, A, B, B],
    ],
  ])('%s', (_, inputs, expected) => {
    expect(names(...inputs)).toEqual(expected);
  });

  it('forgets auctions that show nothing, the oldest first', () => {
    const many = Array.from({ length: 21 }, (_, i) => ended(`a${i}`));
    expect(names(...many, rendered({ auctionId: 'a0' }, false))).toEqual([]);
    expect(names(...many, rendered({ auctionId: 'a1' }, false))).toEqual([A]);
  });

  it('tells the winners of all units', () => {
    const step = auctionStep(() => 0.9);
    const bidsTold = (...inputs: readonly AuctionInput[]): unknown => {
      const { drafts } = inputs.reduce(step, noAuctions);
      return drafts.find(({ name }) => name === A)?.properties?.['auctions'];
    };
    const told = (...winning: readonly boolean[]): unknown => [
      expect.objectContaining({
        bids: winning.map((is_winning) => expect.objectContaining({ is_winning }) as unknown),
      }),
    ];
    expect(bidsTold(ofTwo(), rendered(), rendered(side))).toEqual(told(true, true));
    expect(bidsTold(ofTwo(), rendered(), rendered(side, false))).toEqual(told(true, false));
    expect(bidsTold(ofTwo(), rendered(side), exit)).toEqual(told(false, true));
  });

  it('tells the auction and the bid', () => {
    const step = auctionStep(() => 0.9);
    const { drafts } = step(step(noAuctions, ended()), rendered());
    const told = {
      ad_unit_code: 'top',
      ad_id: 'ad',
      bidder: 'ix',
      cpm: 2.5,
      currency: 'EUR',
      width: 300,
      height: 250,
      media_type: 'banner',
      creative_id: 'cr',
      deal_id: null,
      time_to_respond: 80,
      advertiser_id: null,
      advertiser_name: 'Harbour Business Bank',
      advertiser_domains: ['harbour.example'],
      is_winning: true,
    };
    expect(drafts).toEqual([
      {
        name: A,
        properties: {
          auctions: [
            {
              auction_id: 'a1',
              timestamp: 1,
              auction_end: 2,
              timeout: 1000,
              ad_units: ['top'],
              bids: [told, { ...told, ad_id: 'other', cpm: 1, is_winning: false }],
              no_bids: [{ bidder: 'openx', ad_unit_code: 'top' }],
            },
          ],
        },
      },
      { name: B, properties: { auction_id: 'a1', ...told } },
    ]);
  });
});

describe('the version of Prebid', () => {
  it.each([
    ['v11.36.0', [11, 36, 0], true],
    ['7.13.0', [7, 13, 0], true],
    ['7.12.9', [7, 12, 9], false],
    ['v7.13.0-pre', [7, 13, 0], true],
    ['6.99.1', [6, 99, 1], false],
    ['8.0.0', [8, 0, 0], true],
    ['next', undefined, true],
    [undefined, undefined, true],
    ['7.12', undefined, true],
  ])('%p is %p, and takes our bidders: %p', (text, version, takes) => {
    expect(versionOf(text)).toEqual(version);
    expect(takesBidders(text)).toBe(takes);
  });
});

describe('An auction with very many bids', () => {
  it('is told as far as an event has room', () => {
    let reads = 0;
    const count = (target: object, key: PropertyKey): unknown => {
      reads += 1;
      return Reflect.get(target, key);
    };
    const bids = Array.from({ length: 5000 }, () => new Proxy(bid, { get: count }));
    const step = auctionStep(() => 0.9);
    const told = { ...auction, bidsReceived: bids, noBids: bids };
    const { drafts } = step(step(noAuctions, { type: 'ended', auction: told }), rendered());
    const [own] = drafts[0]?.properties?.['auctions'] as readonly Record<string, unknown>[];
    expect(own?.['bids']).toHaveLength(1000);
    expect(own?.['no_bids']).toHaveLength(1000);
    expect(reads).toBeLessThan(40_000);
  });
});
