import { pixelPartner } from './pixelPartner';

/** Tells Eyeota of segments by its pixel (spec S§4). `pid` is the publisher's id there. */
export const eyeota = pixelPartner({
  name: 'eyeota',
  vendorId: 120,
  pixelUrl: 'https://ps.eyeota.net/pixel?pid={{pid}}&t=gif&cat={{segment}}',
});
