import type { GeoipAnswer } from '../../src/endpoints/geoip';
import { contextOf } from '../../src/streams/pageData/pageFields';
import { visitCounts } from '../../src/telemetry/visitCounts';
import { worldOf } from '../support/world';

const client = { type: 'web', user_agent: '', url: '', domain: '', title: '', referrer: '' };

describe('the context of metrics', () => {
  it.each<[string, GeoipAnswer | undefined, string | null]>([
    ['as the server has answered it', { geo_info: { continent: 'Europe' }, isp_info: { isp: 'Fibre' } }, 'Europe'],
    ['null where the server does not know it', { geo_info: { continent: null } }, null],
    ['null where the server knows no place', { geo_info: null }, null],
    ['null before the answer', undefined, null],
  ])('has the continent %s', (_, geoip, continent) => {
    const context = () => ({
      user_id: 'user',
      session_id: 'session',
      view_id: 'view',
      client,
      // The place as the visit gives it: the two must have one shape.
      ...contextOf({ ...(geoip && { geoip }) }),
    });
    expect(visitCounts(context, worldOf()).context()).toMatchObject({ continent });
  });
});
