/** Options that each addon takes in a definition. */
export interface CommonOptions {
  /** The page script starts the addon; the default of most addons. */
  readonly auto_init?: boolean;
  /** Purposes of the TCF that the addon needs, 1 to 11. */
  readonly tcf_purposes?: readonly number[];
}

interface PartnerOptions extends CommonOptions {
  /** Vendor of the TCF list whose consent is needed; default: that of the partner. */
  readonly tcf_vendor_id?: number;
}
interface CustomEventOptions extends PartnerOptions {
  /** The segment is part of the event's name, because the partner's account drops custom properties. */
  readonly core_setup?: boolean;
  /** The one of the page's pixels that is told; default: all of them. */
  readonly pixel_id?: string;
}
interface PixelOptions extends PartnerOptions {
  /** Address of the image, with placeholders such as `{{segment}}`. */
  readonly pixel_url?: string;
  readonly pid?: string | number;
  readonly client_id?: string | number;
}

/** A place of a bid request where Prebid's next module `permutive` may write cohorts. */
type PrebidLocation =
  | { readonly path: 'user.data'; readonly name: string; readonly ext?: Readonly<Record<string, unknown>> }
  | { readonly path: 'user.keywords' | 'user.ext.data' | 'site.ext.permutive'; readonly key: string };

/** By category of cohorts, ids of locations: those of the definition, and those that the module has. */
type PrebidPlacement = Readonly<Partial<Record<'standard' | 'dcr' | 'curated' | 'clm' | 'custom', readonly string[]>>>;

interface PrebidBidder {
  /** The key of local storage that has the bidder's own cohorts as a list. */
  readonly customCohorts?: { readonly source: 'ls'; readonly key: string; readonly path?: string };
  readonly placement?: PrebidPlacement;
}

/** Where an identity is found: at a url, by a function of the page, in a cookie or in a global of the page. */
export interface IdentityProviderOptions {
  readonly url?: string;
  readonly method?: 'GET' | 'POST';
  readonly field?: string;
  readonly call?: string;
  readonly cookie?: string;
  readonly global?: string;
  readonly tcf_vendor_id?: number;
  readonly tcf_purposes?: readonly number[];
  readonly partner?: string;
  readonly publisherId?: string;
  readonly apiKey?: string;
}

/**
 * The options of each addon that a definition may name. A project with addons of its own adds their options:
 * `declare module 'permutive-web-sdk/project' { interface AddonOptions { my_addon: { key?: string } } }`.
 */
export interface AddonOptions {
  web: CommonOptions & {
    /** Properties of the Pageview and of what follows in its view. */
    readonly page?: Readonly<Record<string, unknown>>;
    readonly context?: { readonly url?: string; readonly title?: string; readonly referrer?: string };
    readonly track_pageview_engagement?: boolean;
    readonly track_pageview_complete?: boolean;
    readonly track_form_submission?: boolean;
    readonly track_link_click?: boolean;
    /** Evaluate PageviewEngagement in the browser only. */
    readonly engagement_edge_only?: boolean;
    /** Types of DOM events that count as activity. */
    readonly dirty_events?: readonly string[];
    readonly watson?: { readonly enabled: boolean };
  };
  dfp: CommonOptions & {
    readonly track_slot_rendered?: boolean;
    readonly track_slot_viewable?: boolean;
    readonly track_slot_clicked?: boolean;
    readonly track_targeting_keys?: boolean;
  };
  dfp_contextual: CommonOptions;
  google_pps: CommonOptions & {
    /** Signals that pages set before the addon starts, in the form in which they give them to Google's tag. */
    readonly page_signals?: Readonly<Record<string, unknown>>;
  };
  appnexus_adserver: CommonOptions;
  appnexus_adserver_contextual: CommonOptions;
  prebid: CommonOptions & {
    /** Bidders that get the cohorts. */
    readonly acBidders?: readonly string[];
    /** For Prebid's next module: places of a bid request beside its own, by id. */
    readonly locations?: Readonly<Record<string, PrebidLocation>>;
    /** For Prebid's next module: by category of cohorts, the ids of the places where they go. */
    readonly placement?: PrebidPlacement;
    /** By bidder, where its own cohorts are stored, and a placement for it alone. */
    readonly bidders?: Readonly<Record<string, PrebidBidder>>;
  };
  prebid_data: CommonOptions;
  revenue_insights: CommonOptions;
  identity_manager: CommonOptions & { readonly providers?: Readonly<Record<string, IdentityProviderOptions>> };
  local_storage: CommonOptions;
  rubicon: CommonOptions;
  nativo: CommonOptions;
  freewheel: CommonOptions;
  overlays: CommonOptions;
  tracking_pixel: CommonOptions;
  ctv: CommonOptions & {
    /** How long the video is, in ms. */
    readonly duration?: number;
    /** What the video is, such as its title. */
    readonly videoProperties?: Readonly<Record<string, unknown>>;
  };
  scriptrunner: CommonOptions;
  tradedesk: CommonOptions & {
    /** The publisher's id at The Trade Desk. */
    readonly pid?: string;
    readonly pixel_url?: string;
  };
  pubmatic: CommonOptions & { readonly cookie_set_url?: string; readonly segment_url?: string };
  facebook_v2: CustomEventOptions;
  tiktok: CustomEventOptions;
  pinterest: CustomEventOptions;
  twitter_pixel: CustomEventOptions;
  data_layer: PartnerOptions & {
    /** Name of the global that the data layer is; default: `dataLayer`. */
    readonly data_layer_name?: string;
  };
  eyeota: PixelOptions;
  lotame: PixelOptions;
  gigya: PartnerOptions & {
    /** Field of the account's custom data that holds the segments. */
    readonly data_field?: string;
  };
  ddp: PixelOptions;
  neustar_fabrick: PixelOptions;
  contextual: CommonOptions;
  second_party: CommonOptions;
  secure_signal: CommonOptions;
}
/** An addon that a definition may name. */
export type AddonName = keyof AddonOptions;

/** Platforms that have a list of cohorts and no addon of their own. */
type ListedPlatform =
  'rubicon_ssp' | 'ix' | 'openx' | 'appnexus' | 'pubmatic' | 'curation_platforms' | 'segment_sync' | 'amp';
/** A platform that gets codes of cohorts: an addon, or one that has a list only. */
export type Platform = ListedPlatform | Exclude<AddonName, 'rubicon'>;
