import { eventPartner, isFunction } from './eventPartner';

/**
 * Tells Meta's pixel of segments, by custom events (spec S§4, S§9): `fbq('trackCustom', …)`, or `trackSingleCustom` for
 * the one pixel that is named. `fbq` is looked for 3 times, 1,000 ms apart.
 */
export const facebookV2 = eventPartner({
  name: 'facebook_v2',
  global: 'fbq',
  wait: { everyMs: 1000, times: 3 },
  isPixel: isFunction,
  send: (fbq, { name, properties, pixelId }) =>
    pixelId === '' ? fbq('trackCustom', name, ...properties) : fbq('trackSingleCustom', pixelId, name, ...properties),
});
