import { pixelPartner } from './pixelPartner';

/**
 * Tells Neustar Fabrick of segments (spec C§3). The address that takes segments is not public, so the project
 * definition gives it.
 */
export const neustarFabrick = pixelPartner({
  name: 'neustar_fabrick',
  vendorId: 468,
  pixelUrl: '',
});
