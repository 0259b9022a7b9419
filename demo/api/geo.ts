import { type GeoInfo, geoip, type IspInfo } from '../../src/endpoints/geoip';
import { hashOf, hexOf } from './hash';
import { type Route, served } from './served';

interface Place {
  readonly code: string;
  readonly geo: GeoInfo;
  readonly isp: IspInfo;
}

const place = (
  code: string,
  [continent, country, city, province, postal_code]: readonly (string | null)[],
  isp: string,
  number: number,
): Place => ({
  code,
  geo: {
    continent: continent ?? null,
    country: country ?? null,
    city: city ?? null,
    province: province ?? null,
    postal_code: postal_code ?? null,
  },
  isp: { isp, organization: isp, autonomous_system_number: number, autonomous_system_organization: isp.toUpperCase() },
});

const places: readonly [Place, ...Place[]] = [
  place('GB', ['Europe', 'United Kingdom', 'London', 'England', 'EC2A'], 'Thames Fibre', 64501),
  place('US', ['North America', 'United States', 'New York', 'New York', '10001'], 'Hudson Broadband', 64502),
  place('DE', ['Europe', 'Germany', 'Essen', 'North Rhine-Westphalia', null], 'Ruhrnetz', 64503),
  place('FR', ['Europe', 'France', 'Lyon', 'Auvergne-Rhône-Alpes', '69001'], 'Rhône Télécom', 64504),
  place('BR', ['South America', 'Brazil', 'São Paulo', 'São Paulo', null], 'Rede Paulista', 64505),
  place('JP', ['Asia', 'Japan', 'Osaka', 'Osaka', '530-0001'], 'Yodo Networks', 64506),
  place('AU', ['Oceania', 'Australia', 'Perth', 'Western Australia', '6000'], 'Swan River Telecom', 64507),
  place('ZA', ['Africa', 'South Africa', 'Cape Town', null, null], 'Table Bay Online', 64508),
];

export const geoRoutes: readonly Route[] = [
  served(geoip, ({ query, address }) => {
    const wanted = query.getAll('include');
    const includes = (part: string): boolean =>
      wanted.length === 0 ? part === 'geo' || part === 'isp' : wanted.includes(part);
    const { geo, isp } =
      places.find(({ code }) => code === query.get('country')?.toUpperCase()) ??
      places[hashOf(address) % places.length] ??
      places[0];
    return {
      geo_info: includes('geo') ? geo : null,
      isp_info: includes('isp') ? isp : null,
      ...(includes('ip_hash') && { ip_hash: hexOf(address) }),
      ...(includes('ip') && { ip_address: address }),
    };
  }),
];
