/**
 * The type of a property of events: a text, a number, true or false, a list of one type, or an object of properties.
 */
export type PropertyType = 'string' | 'number' | 'boolean' | readonly [PropertyType] | PropertyTypes;
/** The properties of an event, or of an object in it, with their types. */
export interface PropertyTypes {
  readonly [property: string]: PropertyType;
}
/** The properties of events, by the name of the event. */
export type EventTypes = Readonly<Record<string, PropertyTypes>>;

const label = { label: 'string', score: 'number' } as const;
const engagement = { engaged_time: 'number', completion: 'number' } as const;
const attention = { ...engagement, total_engaged_time: 'number', total_completion: 'number' } as const;
const slot = {
  slot: {
    ad_unit_path: 'string',
    slot_element_id: 'string',
    targeting_keys: [{ key: 'string', value: ['string'] }],
  },
  advertiser_id: 'number',
  campaign_id: 'number',
  line_item_id: 'number',
  creative_id: 'number',
  is_empty: 'boolean',
  service_name: 'string',
  width: 'number',
  height: 'number',
  rendered_timestamp: 'number',
} as const;
const geo = {
  country: 'string',
  province: 'string',
  city: 'string',
  continent: 'string',
  postal_code: 'string',
} as const;

const appnexusAd = {
  slot: { target_id: 'string', tag_id: 'number', height: 'number', width: 'number', targeting: {} },
  ad: {},
} as const;
const bid = {
  ad_unit_code: 'string',
  ad_id: 'string',
  bidder: 'string',
  cpm: 'number',
  currency: 'string',
  width: 'number',
  height: 'number',
  media_type: 'string',
  creative_id: 'string',
  deal_id: 'string',
  time_to_respond: 'number',
  advertiser_id: 'number',
  advertiser_name: 'string',
} as const;
const auction = {
  auction_id: 'string',
  timestamp: 'number',
  auction_end: 'number',
  timeout: 'number',
  ad_units: ['string'],
  bids: [bid],
  no_bids: [{ bidder: 'string', ad_unit_code: 'string' }],
} as const;

/** Properties that the SDK adds to all events, and those of the event itself, which queries read with a `$`. */
export const commonProperties = {
  client: {
    type: 'string',
    user_agent: 'string',
    url: 'string',
    domain: 'string',
    title: 'string',
    referrer: 'string',
  },
  $name: 'string',
  $time: 'number',
  $day: 'number',
  $hour: 'number',
  $session_id: 'string',
  $view_id: 'string',
} as const satisfies PropertyTypes;

/** Events that have the properties of the view's Pageview too. */
export const pageEvents = [
  'Pageview',
  'PageviewEngagement',
  'PageviewComplete',
  'LinkClick',
  'FormSubmission',
] as const;

/** The events that the SDK and its addons track, with the properties that they add to those of the page. */
export const sdkEvents = {
  Pageview: {
    geo_info: geo,
    isp_info: { isp: 'string', organization: 'string', autonomous_system_number: 'number' },
    classifications: {
      categories: [label],
      concepts: [{ text: 'string', relevance: 'number' }],
      emotion: { anger: 'number', disgust: 'number', fear: 'number', joy: 'number', sadness: 'number' },
      entities: [{ text: 'string', type: 'string', relevance: 'number' }],
      keywords: [{ text: 'string', relevance: 'number' }],
      sentiment: label,
      taxonomy_labels: ['string'],
    },
  },
  PageviewEngagement: attention,
  PageviewComplete: {
    total_engaged_time: 'number',
    total_completion: 'number',
    aggregations: {
      PageviewEngagement: engagement,
      SegmentEntry: ['number'],
      SegmentExit: ['number'],
      CohortEntry: ['string'],
      CohortExit: ['string'],
    },
  },
  LinkClick: { dest_url: 'string' },
  FormSubmission: {
    form: {
      id: 'string',
      name: 'string',
      action: 'string',
      method: 'string',
      properties: [{ name: 'string', value: 'string' }],
    },
  },
  SlotRendered: slot,
  SlotViewable: slot,
  SlotClicked: slot,
  AdRequest: { ad_server_id: 'string', cohorts: ['string'] },
  AppNexusAdImpression: appnexusAd,
  AppNexusAdClick: appnexusAd,
  PrebidAuctions: { auctions: [auction] },
  PrebidBid: { auction_id: 'string', ...bid },
  AdRevenue: { auction_id: 'string', ...bid, revenue: 'number' },
  Videoview: {},
  VideoEngagement: attention,
  VideoCompletion: { ...engagement, aggregations: { VideoEngagement: engagement } },
  Reaction: { reaction_id: 'string', type: 'string' },
  SegmentEntry: {},
  SegmentExit: {},
  UpdateThirdPartyData: {},
  UpdateSecondPartyData: {},
  UpdateLookalikeModels: {},
} as const satisfies EventTypes;
/** The events that the SDK and its addons track. */
export type SdkEvents = typeof sdkEvents;
