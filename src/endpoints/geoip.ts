import * as t from 'io-ts';

import { endpointOf } from './ioTs';

// Any part may be null or missing, because the server does not know every address equally well.
const TextOrNull = t.union([t.string, t.null]);

/** The visitor's place. */
export const GeoInfo = t.partial(
  { continent: TextOrNull, country: TextOrNull, city: TextOrNull, province: TextOrNull, postal_code: TextOrNull },
  'GeoInfo',
);
export type GeoInfo = Readonly<t.TypeOf<typeof GeoInfo>>;

/** Who provides the visitor's access to the network. */
export const IspInfo = t.partial(
  {
    isp: TextOrNull,
    organization: TextOrNull,
    autonomous_system_number: t.union([t.number, t.null]),
    autonomous_system_organization: TextOrNull,
  },
  'IspInfo',
);
export type IspInfo = Readonly<t.TypeOf<typeof IspInfo>>;

/** What the server knows of the visitor's address. Parts that are unknown or were not asked for are null or missing. */
export const GeoipAnswer = t.partial(
  {
    geo_info: t.union([GeoInfo, t.null]),
    isp_info: t.union([IspInfo, t.null]),
    ip_hash: TextOrNull,
    ip_address: TextOrNull,
  },
  'GeoipAnswer',
);
export type GeoipAnswer = Readonly<t.TypeOf<typeof GeoipAnswer>>;

/**
 * GET /v2.0/geoip?include= : one `include` for each of geo, isp, ip_hash and ip. The IP address is not asked for by
 * default (spec S§3, S§7).
 */
export const geoip = endpointOf({ method: 'GET', path: '/{apiVersion}/geoip', answer: GeoipAnswer });
