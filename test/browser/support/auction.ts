import { gunzipSync } from 'node:zlib';

import type { Visitor } from './visitor';

/** What the servers of real bidders were sent, by bidder. */
export interface Bidders {
  readonly sent: () => Readonly<Record<string, string>>;
  readonly forget: () => void;
}

/** By bidder of the tests, the server that it asks and the parameters that its adapter wants. */
const bidders = {
  appnexus: { server: /adnxs\.com\/ut\/v3\/prebid/, params: { placementId: 13144370 } },
  ix: { server: /casalemedia\.com\/openrtb/, params: { siteId: '12345', size: [300, 250] } },
  pubmatic: { server: /pubmatic\.com\/translator/, params: { publisherId: '156209', adSlot: 'slot@300x250' } },
  openx: { server: /openx\.net\/openrtbb/, params: { unit: '539439964', delDomain: 'ledger-d.openx.net' } },
  rubicon: {
    server: /rubiconproject\.com\/a\/api\/fastlane/,
    params: { accountId: 14062, siteId: 70608, zoneId: 498816 },
  },
  msft: { server: /adnxs(-simple)?\.com\/openrtb2\/prebidjs/, params: { placement_id: 13144370 } },
  criteo: { server: /grid-bidder\.criteo\.com\/openrtb_2_5/, params: { networkId: 497747 } },
  // An adapter of plain OpenRTB, as most bidders have it.
  ttd: {
    server: /direct\.adsrvr\.org\/bid\/bidder/,
    params: { supplySourceId: 'ledger', publisherId: '1427ab10', placementId: 'ledger/mpu' },
  },
};
export const bidderNames = Object.keys(bidders);
/** The bids of a unit of which each bidder is asked. */
export const bids = Object.entries(bidders).map(([bidder, { params }]) => ({ bidder, params }));

/** Servers of bidders, which bid when they are openx. */
export const withBidders = async ({ context }: Visitor): Promise<Bidders> => {
  let sent: Record<string, string> = {};
  await context.route(
    ({ hostname }) => hostname !== 'localhost',
    async (route) => {
      const request = route.request();
      const bidder = Object.entries(bidders).find(([, { server }]) => server.test(request.url()))?.[0];
      const headers = {
        'access-control-allow-origin': (await request.headerValue('origin')) ?? '*',
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': '*',
      };
      if (bidder === undefined || request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers });
      const body = request.postDataBuffer();
      const text =
        body === null ? '' : (body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body).toString('utf8');
      sent[bidder] = text + decodeURIComponent(request.url());
      if (bidder !== 'openx') return route.fulfill({ status: 204, headers });
      const { imp } = JSON.parse(text) as { imp: { id: string }[] };
      const offers = imp.map(({ id }) => ({
        id: '1',
        impid: id,
        price: 2.5,
        w: 300,
        h: 250,
        crid: 'cr',
        adm: '<p>An advertisement</p>',
        adomain: ['harbour.example'],
        mtype: 1,
      }));
      return route.fulfill({
        status: 200,
        headers,
        contentType: 'application/json',
        body: JSON.stringify({ id: '1', cur: 'USD', seatbid: [{ bid: offers }] }),
      });
    },
  );
  return { sent: () => sent, forget: () => void (sent = {}) };
};

export interface Pbjs {
  readonly que: (() => void)[];
  readonly setConfig: (config: object) => void;
  readonly addAdUnits: (units: object[]) => void;
  readonly requestBids: (options: object) => void;
  readonly renderAd: (document: Document | null, adId: string) => void;
  readonly getEvents: () => { readonly eventType: string }[];
  readonly getBidResponses: () => Record<string, { bids: { adId: string; bidder: string; cpm: number }[] }>;
}

/** Holds an auction of one or more units among all bidders; answers the ids of the ads that were offered. */
export const hold = async (
  { page }: Visitor,
  site: string,
  config: object = {},
  units: readonly string[] = ['auctioned'],
): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => 'pbjs' in window))) await page.addScriptTag({ url: `${site}/prebid.js` });
  return page.evaluate(
    ([given, codes, asked]) =>
      new Promise<string[]>((resolve) => {
        const { pbjs } = window as unknown as { pbjs: Pbjs };
        const banner = { sizes: [[300, 250]] };
        pbjs.que.push(() => {
          pbjs.setConfig({ bidderTimeout: 20_000, userSync: { syncEnabled: false }, ...given });
          pbjs.requestBids({
            adUnits: codes.map((code) => ({ code, mediaTypes: { banner }, bids: asked })),
            bidsBackHandler: () =>
              resolve(codes.flatMap((code) => (pbjs.getBidResponses()[code]?.bids ?? []).map(({ adId }) => adId))),
          });
        });
      }),
    [config, units, bids] as const,
  );
};

/** Shows the ad of a bid in a frame of the page. */
export const render = ({ page }: Visitor, adId: string): Promise<void> =>
  page.evaluate((id) => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    (window as unknown as { pbjs: Pbjs }).pbjs.renderAd(frame.contentDocument, id);
  }, adId);

/** How many ads have been rendered on the page. */
export const rendered = ({ page }: Visitor): Promise<number> =>
  page.evaluate(
    () =>
      (window as unknown as { pbjs: Pbjs }).pbjs
        .getEvents()
        .filter(({ eventType }) => eventType === 'adRenderSucceeded').length,
  );

/** Settings of Prebid's module that reads cohorts; `waitForIt`: the auction waits for this page's. */
export const rtd = (waitForIt: boolean): object => ({
  realTimeData: { auctionDelay: 20_000, dataProviders: [{ name: 'permutive', waitForIt }] },
});

/** The visitor's standard cohorts, as every bidder gets them. */
export const standardCohorts = async (visitor: Visitor): Promise<readonly string[]> =>
  (await visitor.ask((permutive) => permutive.segments(undefined, 'qlStandard'))).map(String);
