import { pixelPartner } from './pixelPartner';

/**
 * Tells the partner `ddp` of segments (spec C§3). The partner's address is not public, so the project definition gives
 * it.
 */
export const ddp = pixelPartner({ name: 'ddp', vendorId: 755, pixelUrl: '' });
