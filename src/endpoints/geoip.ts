import * as t from 'io-ts';

import type { Endpoint } from './endpoint';

// An address tells much, little or nothing: any part may be null or missing.
const TextOrNull = t.union([t.string, t.null]);

export const GeoInfo = t.partial(
  { continent: TextOrNull, country: TextOrNull, city: TextOrNull, province: TextOrNull, postal_code: TextOrNull },
  'GeoInfo',
);
export type GeoInfo = Readonly<t.TypeOf<typeof GeoInfo>>;

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
 * GET /v2.0/geoip?include= : one `include` each for geo, isp, ip_hash and ip, the last off by default (spec S§3, S§7).
 */
export const geoip: Endpoint<never, GeoipAnswer> = {
  method: 'GET',
  version: 'apiVersion',
  path: 'geoip',
  responseType: 'json',
  answer: GeoipAnswer,
};
