/** Where an addon lives, and when the page loads it. */
export interface ListedAddon {
  readonly file: string;
  /** Name of the file's export that is the addon. */
  readonly exported: string;
  /**
   * Part of the page script, for what the first ad requests and the page view wait for.
   * All other addons are in the deferred chunk, so that no visitor waits for them.
   */
  readonly startsAtOnce?: true;
}

/**
 * Every addon that a build may contain, by its name on the wire. A project gets those that its definition names.
 * A new partner adds its folder in `src/addons`, and one line here; the conformance check follows this list.
 */
export const addonList: Readonly<Record<string, ListedAddon>> = {
  web: { file: 'src/addons/web/web.ts', exported: 'web', startsAtOnce: true },
  dfp: { file: 'src/addons/googleAdManager/dfp.ts', exported: 'dfp', startsAtOnce: true },
  dfp_contextual: { file: 'src/addons/googleAdManager/dfpContextual.ts', exported: 'dfpContextual' },
  google_pps: { file: 'src/addons/googleAdManager/googlePps.ts', exported: 'googlePps' },
  appnexus_adserver: { file: 'src/addons/appnexus/appnexusAdserver.ts', exported: 'appnexusAdserver' },
  appnexus_adserver_contextual: { file: 'src/addons/appnexus/appnexusContextual.ts', exported: 'appnexusContextual' },
  prebid: { file: 'src/addons/prebid/prebid.ts', exported: 'prebid' },
  prebid_data: { file: 'src/addons/prebid/prebidData.ts', exported: 'prebidData' },
  revenue_insights: { file: 'src/addons/prebid/revenueInsights.ts', exported: 'revenueInsights' },
  identity_manager: { file: 'src/addons/identityManager/identityManager.ts', exported: 'identityManager' },
  local_storage: { file: 'src/addons/storedCodes/storedCodes.ts', exported: 'localStorage' },
  rubicon: { file: 'src/addons/storedCodes/storedCodes.ts', exported: 'rubicon' },
  nativo: { file: 'src/addons/storedCodes/storedCodes.ts', exported: 'nativo' },
  freewheel: { file: 'src/addons/storedCodes/storedCodes.ts', exported: 'freewheel' },
  overlays: { file: 'src/addons/overlays/overlays.ts', exported: 'overlays' },
  tracking_pixel: { file: 'src/addons/trackingPixel/trackingPixel.ts', exported: 'trackingPixel' },
  ctv: { file: 'src/addons/ctv/ctv.ts', exported: 'ctv', startsAtOnce: true },
  scriptrunner: { file: 'src/addons/scriptRunner/scriptRunner.ts', exported: 'scriptRunner' },
  tradedesk: { file: 'src/addons/tradedesk/tradedesk.ts', exported: 'tradedesk' },
  pubmatic: { file: 'src/addons/pubmatic/pubmatic.ts', exported: 'pubmatic' },
  facebook_v2: { file: 'src/addons/segmentPartners/facebook.ts', exported: 'facebookV2' },
  tiktok: { file: 'src/addons/segmentPartners/tiktok.ts', exported: 'tiktok' },
  pinterest: { file: 'src/addons/segmentPartners/pinterest.ts', exported: 'pinterest' },
  twitter_pixel: { file: 'src/addons/segmentPartners/twitterPixel.ts', exported: 'twitterPixel' },
  data_layer: { file: 'src/addons/segmentPartners/dataLayer.ts', exported: 'dataLayer' },
  eyeota: { file: 'src/addons/segmentPartners/eyeota.ts', exported: 'eyeota' },
  lotame: { file: 'src/addons/segmentPartners/lotame.ts', exported: 'lotame' },
  gigya: { file: 'src/addons/segmentPartners/gigya.ts', exported: 'gigya' },
  ddp: { file: 'src/addons/segmentPartners/ddp.ts', exported: 'ddp' },
  neustar_fabrick: { file: 'src/addons/segmentPartners/neustarFabrick.ts', exported: 'neustarFabrick' },
};
