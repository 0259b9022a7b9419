import type { AddonOptions } from './addonOptions';

type Names = {
  readonly [Name in keyof AddonOptions]: Readonly<
    Record<Exclude<keyof Required<AddonOptions>[Name], 'auto_init' | 'tcf_purposes'>, true>
  >;
};

const event = { tcf_vendor_id: true, core_setup: true, pixel_id: true } as const;
const pixel = { tcf_vendor_id: true, pixel_url: true, pid: true, client_id: true } as const;
/** The options of each addon beside those of all addons. */
const names: Names = {
  web: {
    page: true,
    context: true,
    track_pageview_engagement: true,
    track_pageview_complete: true,
    track_form_submission: true,
    track_link_click: true,
    engagement_edge_only: true,
    dirty_events: true,
    watson: true,
  },
  dfp: { track_slot_rendered: true, track_slot_viewable: true, track_slot_clicked: true, track_targeting_keys: true },
  dfp_contextual: {},
  google_pps: { page_signals: true },
  appnexus_adserver: {},
  appnexus_adserver_contextual: {},
  prebid: { acBidders: true, locations: true, placement: true, bidders: true },
  prebid_data: {},
  revenue_insights: {},
  identity_manager: { providers: true },
  local_storage: {},
  rubicon: {},
  nativo: {},
  freewheel: {},
  overlays: {},
  tracking_pixel: {},
  ctv: { duration: true, videoProperties: true },
  scriptrunner: {},
  tradedesk: { pid: true, pixel_url: true },
  pubmatic: { cookie_set_url: true, segment_url: true },
  facebook_v2: event,
  tiktok: event,
  pinterest: event,
  twitter_pixel: event,
  data_layer: { tcf_vendor_id: true, data_layer_name: true },
  eyeota: pixel,
  lotame: pixel,
  gigya: { tcf_vendor_id: true, data_field: true },
  ddp: pixel,
  neustar_fabrick: pixel,
  contextual: {},
  second_party: {},
  secure_signal: {},
};

/** Names of the options that each addon reads. */
export const addonOptionNames: { readonly [Name in keyof AddonOptions]: readonly string[] } = Object.fromEntries(
  Object.entries(names).map(([name, own]) => [name, ['auto_init', 'tcf_purposes', ...Object.keys(own)]]),
) as never;
