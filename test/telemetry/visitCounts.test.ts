import type { GeoipAnswer } from '../../src/endpoints/geoip';
import { contextOf } from '../../src/streams/enrichment/fields';
import type { Heard } from '../../src/telemetry/heard';
import { visitCounts } from '../../src/telemetry/visitCounts';
import { eventOf } from '../support/events';
import { worldOf } from '../support/world';

/** A visit's counts, in a world where nothing is known of the visitor's place. */
const countsOf = () =>
  visitCounts(() => ({ user_id: 'user', session_id: 'session', view_id: 'view', client }), worldOf());
const cohortsOf = (isRealtime: boolean, ...members: readonly string[]): Heard => ({
  type: 'cohorts',
  cohorts: { members, activations: {}, isRealtime },
});
const pageview: Heard = { type: 'event', event: eventOf('p', { name: 'Pageview' }) };
const realtime: Heard = { type: 'stage', stage: 'realtime' };
const valuesOf = (heard: readonly Heard[]): readonly (readonly [name: string, value: number])[] => {
  const { metricsIn } = countsOf();
  return heard.flatMap(metricsIn).map(({ name, value }) => [name, value]);
};

const client = {
  type: 'web',
  user_agent: '',
  url: '',
  domain: '',
  title: '',
  referrer: '',
  path: '/',
  view_id: 'view',
};

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

describe('the number of cohorts', () => {
  it('is recorded once when they are this page’s, whether or not a view was tracked', () => {
    expect(valuesOf([cohortsOf(false, '7', '8', '9'), realtime])).toEqual([['sdk_realtime_segment_count', 0]]);
    expect(valuesOf([cohortsOf(false, '7', '8', '9'), cohortsOf(true, '7', '8'), realtime])).toEqual([
      ['sdk_realtime_segment_count', 2],
    ]);
  });

  it('is recorded for each view, from then on at once', () => {
    const heard = [pageview, pageview, cohortsOf(true, '7', '8'), realtime, cohortsOf(true, '7'), pageview];
    expect(valuesOf(heard)).toEqual([
      ['sdk_realtime_segment_count', 2],
      ['sdk_pageview_cohort_count', 2],
      ['sdk_pageview_cohort_count', 2],
      ['sdk_pageview_cohort_count', 1],
    ]);
  });
});
