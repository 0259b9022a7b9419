import type { Pred } from '../../src/engine/language/language';
import { atLeast, cohort, cohorts, days, event, nextDay, path, query, views } from './query';

const savingsCampaign: Pred = { p: 'line_item_id', in: [5123456701, 5123456702] };
const businessBank: Pred = { p: 'advertiser_id', in: [4400112201] };

/** What readers did with advertising and with product links. */
export const advertising = [
  query(
    20501,
    'Clicked the savings campaign',
    'advertising',
    event('SlotClicked', savingsCampaign, { within: days(168) }),
  ),
  query(20502, 'Saw the savings campaign', 'advertising', event('SlotViewable', savingsCampaign, { within: days(28) })),
  query(
    20503,
    'Saw the savings campaign seven times',
    'advertising frequency',
    event('SlotViewable', savingsCampaign, { is: atLeast(7), within: days(28) }),
  ),
  query(20504, 'Clicked, or saw often, the business bank', 'advertising', {
    or: [
      event('SlotClicked', businessBank, { within: days(168) }),
      event('SlotViewable', businessBank, { is: atLeast(7), within: days(168) }),
    ],
  }),
  query(20505, 'Saw an ad today or yesterday', 'advertising', event('SlotViewable', undefined, { within: nextDay })),
  query(20506, 'Clicked a product link', 'advertising', event('ProductBuyClick', undefined, { within: days(30) })),
  query(
    20507,
    'Compares savings products',
    'advertising',
    event(
      'ProductBuyClick',
      { p: 'product', contains: ['saver', 'savings'] },
      { is: { between: [1, 6] }, within: days(28) },
    ),
  ),
  query(
    20508,
    'Followed a link to a partner bank',
    'advertising',
    event(['ProductBuyClick', 'LinkClick'], { p: 'dest_url', domain: ['partner-bank.example'] }, { within: days(28) }),
  ),
  query(20509, 'Has clicked any advertiser', 'advertising', event('SlotClicked', undefined, { within: days(84) })),
  query(20510, 'Sees ads, never clicks', 'advertising', {
    and: [
      event('SlotViewable', undefined, { is: atLeast(7), within: days(28) }),
      { not: event('SlotClicked', undefined, { within: days(84) }) },
    ],
  }),
  query(
    20511,
    'Winning bid above two',
    'advertising prebid',
    event('PrebidBid', { p: 'cpm', gte: 2 }, { within: days(28) }),
  ),
  query(
    20512,
    'Campaign 2801 seen',
    'advertising',
    event('SlotViewable', { p: 'campaign_id', in: [2801] }, { within: days(84) }),
  ),
  query(
    20513,
    'Advertiser named in a winning bid',
    'advertising prebid',
    event(
      'PrebidBid',
      { p: 'advertiser_name', in: ['Harbour Business Bank', 'Northfield Cloud'] },
      { within: days(84) },
    ),
  ),
  query(
    20514,
    'Followed a link out to a document',
    'advertising',
    event('LinkClick', { p: 'dest_url', endsWith: ['.pdf', '.xlsx'] }, { within: days(84) }),
  ),
  query(20515, 'Guide, then a product, within thirty hours', 'advertising sequence', {
    sequence: [
      { event: 'Pageview', where: path('guides/savings', 'personal-finance/savings') },
      { event: ['ProductBuyClick', 'LinkClick'], where: { p: 'dest_url', domain: ['partner-bank.example'] } },
    ],
    span: { hours: 30 },
    within: days(28),
  }),
];

/** Lookalike models by whom they look for. */
export const models = {
  saver: '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  smallBusiness: '0d9a1f6e-7b54-4c1d-9f02-3a5e8c71b246',
  investor: '9c3e5d70-21af-4b8e-a6d4-7f10e2c98b35',
  technology: 'b8427e19-5c60-4d3f-8e1a-c2f97d054a6b',
  healthcare: '3e70b5c8-9d12-4f6a-b347-15ac8e2d09f7',
  sustainability: 'e15f0a92-6c38-4a7d-9b50-84d1c7f3e26a',
  subscriber: '5a2cd847-0e9b-4136-8fd3-b06e4971ca58',
} as const;

/** Readers like the ones above, data of partners, and where the reader is. */
export const modelled = [
  query(20701, 'Like savers', 'lookalike', {
    and: [{ lookalike: { model: models.saver, gte: 0.8994 } }, { not: cohort(20111) }],
  }),
  query(20702, 'Like small-business readers', 'lookalike', { lookalike: { model: models.smallBusiness, gte: 0.69 } }),
  query(20703, 'Like investors', 'lookalike', { lookalike: { model: models.investor, gte: 0.74, data: '1p' } }),
  query(20704, 'Like technology readers', 'lookalike', {
    lookalike: { model: models.technology, gte: 0.76, data: '1p' },
  }),
  query(20705, 'Like healthcare readers', 'lookalike', {
    lookalike: { model: models.healthcare, gte: 0.78, data: '3p' },
  }),
  query(20706, 'Like sustainability readers', 'lookalike', { lookalike: { model: models.sustainability, gte: 0.85 } }),
  query(20707, 'Likely subscribers', 'lookalike', {
    and: [{ lookalike: { model: models.subscriber, gte: 0.9 } }, { not: cohort(20417) }],
  }),
  query(20721, 'Partner data: household savers', 'third-party', {
    thirdParty: { provider: 'northlight', in: ['48213', '48214', '50007'] },
  }),
  query(20722, 'Partner data: two signs of a company car', 'third-party', {
    thirdParty: { provider: 'acme_data', in: ['7001', '7002', '7003', '7004'], min: 2 },
  }),
  query(20723, 'Partner data: business software in North America', 'third-party geo', {
    and: [
      { lookup: 'geo', where: { p: 'country', in: ['US', 'CA', 'United States', 'Canada'] } },
      { thirdParty: { provider: 'acme_data', in: ['8100', '8101'] } },
    ],
  }),
  query(20724, 'Second-party data: conference visitors', 'second-party', {
    secondParty: { provider: 'ledger_events', in: ['spring-forum', 'autumn-forum'] },
  }),
  query(20731, 'In the United Kingdom or Ireland', 'geo', {
    lookup: 'geo',
    where: { p: 'country', in: ['GB', 'IE', 'United Kingdom', 'Ireland'] },
  }),
  query(20732, 'Markets readers in Europe', 'geo', {
    and: [cohort(20101), { lookup: 'geo', where: { p: 'continent', in: ['EU', 'Europe'] } }],
  }),
  query(20733, "On the paper's own domain", 'client', {
    lookup: 'client',
    where: { p: 'domain', in: ['localhost', 'ledgerpost.example'] },
  }),
  query(20734, 'This page is about technology', 'classification', {
    lookup: 'classification',
    where: {
      p: 'taxonomy',
      any: {
        and: [
          { p: 'label', under: ['/technology and computing'] },
          { p: 'score', gte: 0.69 },
        ],
      },
    },
  }),
  query(
    20735,
    'Reads at a large company',
    'isp',
    event(
      'Pageview',
      { p: 'isp_info.organization', words: ['university', 'bank', 'holdings', 'group'] },
      { within: days(28) },
    ),
  ),
  query(20736, 'Partner data: usage backed by reading', 'third-party combination', {
    and: [{ or: cohorts(20721, 20722) }, views(path('personal-finance'), 1, 30)],
  }),
];

export const modelCohorts = {
  [models.saver]: 20701,
  [models.smallBusiness]: 20702,
  [models.investor]: 20703,
  [models.technology]: 20704,
  [models.healthcare]: 20705,
  [models.sustainability]: 20706,
  [models.subscriber]: 20707,
};
