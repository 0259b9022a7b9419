/** What the stand-in's ad server sells. */
interface LineItem {
  /** Values of the key `permutive` that are wanted; an empty list is for everybody. */
  readonly cohorts: readonly string[];
  readonly creative: string;
  readonly lineItemId: number;
  readonly creativeId: number;
  readonly campaignId: number;
  readonly advertiserId: number;
  /** Third-party creatives are served into a SafeFrame by default (support.google.com/admanager/answer/6023110). */
  readonly isSafeFrame?: boolean;
}

/** House ads, which say that they are. The first that matches wins. */
export const lineItems: readonly LineItem[] = [
  {
    cohorts: ['20601', '20111', 'psav'],
    creative: 'savings',
    lineItemId: 5123456701,
    creativeId: 138401,
    campaignId: 2801,
    advertiserId: 4400112202,
  },
  {
    cohorts: ['20213', 'tsec', '20226'],
    creative: 'security',
    lineItemId: 5123456711,
    creativeId: 138411,
    campaignId: 2802,
    advertiserId: 4400112203,
    isSafeFrame: true,
  },
  {
    cohorts: ['20109', '20110', '20602', 'bsml'],
    creative: 'business',
    lineItemId: 5123456721,
    creativeId: 138421,
    campaignId: 2803,
    advertiserId: 4400112201,
  },
  {
    cohorts: ['20121', 'egrn'],
    creative: 'energy',
    lineItemId: 5123456731,
    creativeId: 138431,
    campaignId: 2804,
    advertiserId: 4400112204,
  },
  {
    cohorts: ['20117', '20104', 'blog'],
    creative: 'freight',
    lineItemId: 5123456741,
    creativeId: 138441,
    campaignId: 2805,
    advertiserId: 4400112205,
  },
  {
    cohorts: ['20101', 'mstk', 'mfnd'],
    creative: 'markets',
    lineItemId: 5123456751,
    creativeId: 138451,
    campaignId: 2806,
    advertiserId: 4400112206,
  },
  {
    cohorts: [],
    creative: 'subscribe',
    lineItemId: 5123456791,
    creativeId: 138491,
    campaignId: 2899,
    advertiserId: 4400112299,
  },
];
