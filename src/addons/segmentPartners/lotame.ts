import { pixelPartner } from './pixelPartner';

/** Tells Lotame of segments by its collection pixel (spec S§4, C§3). `client_id` is the publisher's id there. */
export const lotame = pixelPartner({
  name: 'lotame',
  note: 'lotame',
  vendorId: 95,
  pixelUrl: 'https://bcp.crwdcntrl.net/5/c={{client_id}}/seg={{segment}}',
});
