import { svgImage } from './artwork';

type Trigger = 'EveryTime' | 'OnEntry' | 'OnExit';

interface Criteria {
  readonly operator: 'AND' | 'OR';
  readonly criteria: readonly {
    readonly key: string;
    readonly comparison: 'EQUALS' | 'NOT_EQUALS' | 'CONTAINS' | 'NOT_CONTAINS';
    readonly value: string;
  }[];
}

interface Activation {
  readonly id: string;
  readonly short_id: string;
  readonly sc: number;
  readonly tt: Trigger;
  readonly c: Readonly<Record<string, string | number>>;
  readonly wc: Readonly<Record<string, string | number>>;
  readonly cc?: Criteria;
}

/** The last group of the id is the short id, so that a Reaction in a log leads back to its line here. */
const activation = (
  short_id: string,
  sc: number,
  tt: Trigger,
  c: Activation['c'],
  more: { wc?: Activation['wc']; cc?: Criteria } = {},
): Activation => ({
  id: `7d3f0c52-4b1e-4a86-9e2d-${short_id.padStart(12, '0')}`,
  short_id,
  sc,
  tt,
  c,
  wc: more.wc ?? {},
  ...(more.cc && { cc: more.cc }),
});

const onSite: Criteria = {
  operator: 'OR',
  criteria: [
    { key: 'domain', comparison: 'EQUALS', value: 'localhost' },
    { key: 'domain', comparison: 'EQUALS', value: 'ledgerpost.example' },
  ],
};
const notOnCheckout: Criteria = {
  operator: 'AND',
  criteria: [
    { key: 'url', comparison: 'NOT_CONTAINS', value: '/subscribe' },
    { key: 'type', comparison: 'EQUALS', value: 'web' },
  ],
};

const savingsLetter = [
  '<h2>Your savings, once a week</h2>',
  '<p>You have been reading about savings. The finance letter has the best easy-access and fixed rates every Friday, with the small print read for you.</p>',
  '<form method="get" action="/newsletters" name="newsletter" id="overlay-newsletter">',
  '<input type="hidden" id="overlay-letter" name="letter" value="finance">',
  '<button type="submit">Send me the finance letter</button>',
  '</form>',
  '<p><a href="/guides/savings/a-plain-guide-to-emergency-funds">Read the guide first</a></p>',
].join('');

const subscriptionImage = svgImage('Read on with a trial subscription', 'Four weeks for one');

/** The addons of the project with their options. */
export const addons = {
  web: { track_form_submission: true, track_link_click: true },
  dfp: {},
  dfp_contextual: {},
  overlays: {},
  scriptrunner: {},
  local_storage: {},
  tracking_pixel: {},
  appnexus_adserver: {},
  appnexus_adserver_contextual: {},
  rubicon: {},
  nativo: {},
  freewheel: {},
  prebid: {
    auto_init: false,
    acBidders: ['appnexus', 'msft', 'ix', 'pubmatic', 'openx', 'rubicon', 'criteo', 'ttd', 'northfield', 'harbour'],
  },
  identity_manager: {
    auto_init: false,
    providers: {
      tradedesk: { cookie: 'lp_tradedesk' },
      sailthru: {},
      gigya: { global: 'ledgerPost.account.uid' },
      amp: {},
    },
  },
  ctv: {},
  revenue_insights: { auto_init: false },
  // The page starts those below. Their addresses are stand-ins, so that no partner hears of the sample.
  pubmatic: {
    auto_init: false,
    cookie_set_url: 'https://image.pubmatic.example/AdServer/UCookieSetPug',
    segment_url: 'https://aud.pubmatic.example/AdServer/Artemis',
  },
  tradedesk: {
    auto_init: false,
    pid: 'ledgerpost',
    pixel_url: 'https://match.tradedesk.example/track/cmf/generic',
  },
  facebook_v2: { auto_init: false },
  tiktok: { auto_init: false },
  pinterest: { auto_init: false, core_setup: true },
  twitter_pixel: {},
  data_layer: { auto_init: false },
  eyeota: {
    auto_init: false,
    pid: 'ledger',
    pixel_url: 'https://ps.eyeota.example/pixel?pid={{pid}}&t=gif&cat={{segment}}',
  },
  lotame: {
    auto_init: false,
    client_id: 17310,
    pixel_url: 'https://bcp.lotame.example/5/c={{client_id}}/seg={{segment}}',
  },
  gigya: { auto_init: false },
  ddp: { auto_init: false, pixel_url: 'https://ddp.example/segment?user={{user_id}}&segment={{segment}}' },
  neustar_fabrick: { auto_init: false, pixel_url: 'https://fabrick.example/p?segment={{segment}}' },
};

/** By addon, what it does for which cohort. */
export const activations = {
  overlays: [
    activation(
      '00e1a1',
      20112,
      'OnEntry',
      { opacity_percentage: 60, opacity_transition_ms: 300, html: savingsLetter },
      { cc: onSite },
    ),
    activation(
      '00e1a2',
      20602,
      'OnEntry',
      { opacity_percentage: 50, opacity_transition_ms: 0, image_url: subscriptionImage, image_link: '/newsletters' },
      { cc: notOnCheckout },
    ),
    activation('00e1a3', 20306, 'OnExit', {
      opacity_percentage: 40,
      opacity_transition_ms: 500,
      html: '<h2>We miss you</h2><p>Your letters are waiting.</p><p><a href="/newsletters">Open the newsletters</a></p>',
    }),
    activation(
      '00e1a4',
      20707,
      'EveryTime',
      { opacity_percentage: 60, opacity_transition_ms: 300, image_url: subscriptionImage, image_link: '/newsletters' },
      { cc: notOnCheckout },
    ),
  ],
  scriptrunner: [
    activation('005c01', 20101, 'OnEntry', {
      script: "document.documentElement.setAttribute('data-reader-entered', 'markets');",
    }),
    activation(
      '005c02',
      20604,
      'EveryTime',
      { script: "document.documentElement.setAttribute('data-reader-interest', 'business-technology');" },
      { cc: onSite },
    ),
    activation('005c03', 20405, 'OnExit', {
      script: "document.documentElement.removeAttribute('data-reader-interest');",
    }),
  ],
  tracking_pixel: [
    activation('00a101', 20601, 'OnEntry', { pixel_url: 'https://pixel.northfield.example/enter?segment=money' }),
    activation('00a102', 20601, 'OnExit', { pixel_url: 'https://pixel.northfield.example/leave?segment=money' }),
    activation('00a103', 20606, 'OnEntry', {
      pixel_url: 'https://sync.harbour.example/match?aud=responsible',
      tcf_vendor_id: '755',
    }),
  ],
  pubmatic: [
    activation('00b001', 20111, 'EveryTime', { dpid: '410' }),
    activation('00b002', 20601, 'EveryTime', { dpid: '410' }),
    activation('00b003', 20604, 'EveryTime', { dpid: '411' }),
  ],
  local_storage: [
    activation('00ca01', 20101, 'EveryTime', { storage_key: 'ledger_audience' }),
    activation('00ca02', 20109, 'EveryTime', { storage_key: 'ledger_audience' }),
    activation('00ca03', 20111, 'EveryTime', { storage_key: 'ledger_audience' }),
    activation('00ca04', 20116, 'EveryTime', { storage_key: '_pindexs' }),
    activation('00ca05', 20604, 'EveryTime', { storage_key: '_pindexs' }),
  ],
  facebook_v2: [
    activation('00fb01', 20610, 'EveryTime', { segment: 'money-reader' }, { wc: { pixel_id: '100200300400500' } }),
    activation('00fb02', 20111, 'OnExit', {}),
  ],
  tiktok: [activation('007701', 20204, 'OnEntry', { segment: 'remote-worker' }, { wc: { pixel_id: 'C0LEDGERPOST' } })],
  pinterest: [activation('009101', 20201, 'EveryTime', { segment: 'fashion' })],
  twitter_pixel: [
    activation('007801', 20216, 'EveryTime', {
      segment: 'founders',
      event_id: 'tw-o1a2b-o1a2c',
      exit_event_id: 'tw-o1a2b-o1a2d',
    }),
  ],
  data_layer: [activation('00d101', 20601, 'EveryTime', { segment: 'money' })],
  eyeota: [activation('00e701', 20721, 'EveryTime', { segment: 'household-savers' })],
  lotame: [activation('001001', 20601, 'EveryTime', { segment: 'money' })],
  gigya: [activation('009a01', 20306, 'EveryTime', { segment: 'loyal-reader' })],
  ddp: [activation('00dd01', 20606, 'EveryTime', { segment: 'responsible' })],
  neustar_fabrick: [activation('00fa01', 20111, 'OnEntry', { segment: 'savings' })],
} satisfies Record<string, readonly Activation[]>;
