import { AnyRecord } from '../codecs/codecs';
import { optionsOf } from '../codecs/options';
import type { Addon } from './addon';
import { type VideoOptions, videoOptions } from './ctv/options';
import { type DfpOptions, dfpOptions } from './googleAdManager/dfpOptions';
import { ppsOptions } from './googleAdManager/googlePps';
import { type PrebidOptions, prebidOptions } from './prebid/prebid';
import { type PubmaticOptions, pubmaticOptions } from './pubmatic/pubmatic';
import { type DataLayerOptions, dataLayerOptions } from './segmentPartners/dataLayer';
import { type CustomEventOptions, customEventOptions } from './segmentPartners/eventPartner';
import { gigyaOptions } from './segmentPartners/gigya';
import { type PixelOptions, pixelOptions } from './segmentPartners/pixelPartner';
import { type TradedeskOptions, tradedeskOptions } from './tradedesk/tradedesk';
import { type WebOptions, webOptions } from './web/options';

/** Where an addon lives, when the page loads it, and what a definition may say of it. */
export interface ListedAddon<Options = unknown> {
  readonly file: string;
  /** Name of the file's export that is the addon. */
  readonly exported: string;
  /**
   * Part of the page script, for what the first ad requests and the page view wait for.
   * All other addons are in the deferred chunk, so that no visitor waits for them.
   */
  readonly startsAtOnce?: true;
  /**
   * Reads its options, as its code does, beside those of every addon: `auto_init` and `tcf_purposes`. An option whose
   * name ends with `_url` is an https address of a public host, in which placeholders such as `{{segment}}` may stand.
   */
  readonly options?: Addon<Options>['options'];
  /** Options that only a page can give, because they are functions or elements. */
  readonly pageOptions?: readonly string[];
  /**
   * What the addon does with the activations of its list; absent where it reads none. `changes`: it acts when a cohort
   * is entered or left. `codes`: it hands on the codes of the cohorts that the visitor is in. A platform: the build
   * adds the cohorts to those of that platform, whose codes the addon hands on.
   */
  readonly activations?: 'changes' | 'codes' | { readonly platform: string };
}

/** A stream of the visitor reads the providers, and not the addon. */
const identityOptions = optionsOf({ providers: [AnyRecord, {}] });

/** By addon, the options that its code reads beside those of every addon, which are `auto_init` and `tcf_purposes`. */
export interface OptionsByAddon {
  web: WebOptions;
  dfp: DfpOptions;
  dfp_contextual: unknown;
  google_pps: ReturnType<typeof ppsOptions>;
  appnexus_adserver: unknown;
  appnexus_adserver_contextual: unknown;
  prebid: PrebidOptions;
  prebid_data: unknown;
  revenue_insights: unknown;
  identity_manager: ReturnType<typeof identityOptions>;
  local_storage: unknown;
  rubicon: unknown;
  nativo: unknown;
  freewheel: unknown;
  overlays: unknown;
  tracking_pixel: unknown;
  ctv: VideoOptions;
  scriptrunner: unknown;
  tradedesk: TradedeskOptions;
  pubmatic: PubmaticOptions;
  facebook_v2: CustomEventOptions;
  tiktok: CustomEventOptions;
  pinterest: CustomEventOptions;
  twitter_pixel: CustomEventOptions;
  data_layer: DataLayerOptions;
  eyeota: PixelOptions;
  lotame: PixelOptions;
  gigya: ReturnType<typeof gigyaOptions>;
  ddp: PixelOptions;
  neustar_fabrick: PixelOptions;
}

/**
 * Every addon that a build may contain, by its name on the wire. A project gets those that its definition names.
 * A new partner adds its folder in `src/addons`, its row here, and the type of its options above. The conformance check
 * follows the list, and so do the types of a definition, its check and its schema.
 */
export const addonList: Readonly<Record<string, ListedAddon>> = {
  web: {
    file: 'src/addons/web/web.ts',
    exported: 'web',
    startsAtOnce: true,
    options: webOptions,
    pageOptions: ['completion', 'filterPermutiveEvent'],
  },
  dfp: {
    file: 'src/addons/googleAdManager/dfp.ts',
    exported: 'dfp',
    startsAtOnce: true,
    options: dfpOptions,
    activations: { platform: 'dfp' },
  },
  dfp_contextual: { file: 'src/addons/googleAdManager/dfpContextual.ts', exported: 'dfpContextual' },
  google_pps: { file: 'src/addons/googleAdManager/googlePps.ts', exported: 'googlePps', options: ppsOptions },
  appnexus_adserver: {
    file: 'src/addons/appnexus/appnexusAdserver.ts',
    exported: 'appnexusAdserver',
    activations: { platform: 'appnexus_adserver' },
  },
  appnexus_adserver_contextual: { file: 'src/addons/appnexus/appnexusContextual.ts', exported: 'appnexusContextual' },
  prebid: { file: 'src/addons/prebid/prebid.ts', exported: 'prebid', options: prebidOptions },
  prebid_data: { file: 'src/addons/prebid/prebidData.ts', exported: 'prebidData' },
  revenue_insights: { file: 'src/addons/prebid/revenueInsights.ts', exported: 'revenueInsights' },
  identity_manager: {
    file: 'src/addons/identityManager/identityManager.ts',
    exported: 'identityManager',
    options: identityOptions,
  },
  local_storage: { file: 'src/addons/storedCodes/storedCodes.ts', exported: 'localStorage', activations: 'codes' },
  rubicon: {
    file: 'src/addons/storedCodes/storedCodes.ts',
    exported: 'rubicon',
    activations: { platform: 'rubicon_ssp' },
  },
  nativo: { file: 'src/addons/storedCodes/storedCodes.ts', exported: 'nativo', activations: { platform: 'nativo' } },
  freewheel: {
    file: 'src/addons/storedCodes/storedCodes.ts',
    exported: 'freewheel',
    activations: { platform: 'freewheel' },
  },
  overlays: { file: 'src/addons/overlays/overlays.ts', exported: 'overlays', activations: 'changes' },
  tracking_pixel: {
    file: 'src/addons/trackingPixel/trackingPixel.ts',
    exported: 'trackingPixel',
    activations: 'changes',
  },
  ctv: {
    file: 'src/addons/ctv/ctv.ts',
    exported: 'ctv',
    startsAtOnce: true,
    options: videoOptions,
    pageOptions: ['element'],
  },
  scriptrunner: { file: 'src/addons/scriptRunner/scriptRunner.ts', exported: 'scriptRunner', activations: 'changes' },
  tradedesk: { file: 'src/addons/tradedesk/tradedesk.ts', exported: 'tradedesk', options: tradedeskOptions },
  pubmatic: {
    file: 'src/addons/pubmatic/pubmatic.ts',
    exported: 'pubmatic',
    options: pubmaticOptions,
    activations: 'codes',
  },
  facebook_v2: {
    file: 'src/addons/segmentPartners/facebook.ts',
    exported: 'facebookV2',
    options: customEventOptions,
    activations: 'changes',
  },
  tiktok: {
    file: 'src/addons/segmentPartners/tiktok.ts',
    exported: 'tiktok',
    options: customEventOptions,
    activations: 'changes',
  },
  pinterest: {
    file: 'src/addons/segmentPartners/pinterest.ts',
    exported: 'pinterest',
    options: customEventOptions,
    activations: 'changes',
  },
  twitter_pixel: {
    file: 'src/addons/segmentPartners/twitterPixel.ts',
    exported: 'twitterPixel',
    options: customEventOptions,
    activations: 'changes',
  },
  data_layer: {
    file: 'src/addons/segmentPartners/dataLayer.ts',
    exported: 'dataLayer',
    options: dataLayerOptions,
    activations: 'changes',
  },
  eyeota: {
    file: 'src/addons/segmentPartners/eyeota.ts',
    exported: 'eyeota',
    options: pixelOptions(''),
    activations: 'changes',
  },
  lotame: {
    file: 'src/addons/segmentPartners/lotame.ts',
    exported: 'lotame',
    options: pixelOptions(''),
    activations: 'changes',
  },
  gigya: {
    file: 'src/addons/segmentPartners/gigya.ts',
    exported: 'gigya',
    options: gigyaOptions,
    activations: 'changes',
  },
  ddp: {
    file: 'src/addons/segmentPartners/ddp.ts',
    exported: 'ddp',
    options: pixelOptions(''),
    activations: 'changes',
  },
  neustar_fabrick: {
    file: 'src/addons/segmentPartners/neustarFabrick.ts',
    exported: 'neustarFabrick',
    options: pixelOptions(''),
    activations: 'changes',
  },
} satisfies { readonly [Name in keyof OptionsByAddon]: ListedAddon<OptionsByAddon[Name]> };
