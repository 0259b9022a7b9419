import { eventPartner, isFunction } from './eventPartner';

/** Tells Pinterest's tag of segments, by user-defined events (spec S§4): `pintrk('track', …)`. */
export const pinterest = eventPartner({
  name: 'pinterest',
  global: 'pintrk',
  isPixel: isFunction,
  send: (pintrk, { name, properties }) => pintrk('track', name, ...properties),
});
