import { of } from 'rxjs';

import { thirdPartyUsage } from '../../src/cohorts/thirdPartyUsage';
import { noon, noonText, visitorId } from '../../test/support/events';
import { linesOf } from '../../test/support/reports';
import { marble, type MarbleHelpers } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const one = [{ provider: 'acme', id: '1' }];
const two = [...one, { provider: 'northlight', id: '7' }, { provider: 'acme', id: '2' }];
const usages = { o: one, t: two, n: [] };

/** A server that takes reports, or refuses them. */
const worldOf = (helpers: MarbleHelpers, answers: Readonly<Record<string, unknown>> = { 'tpd/usage': null }) => {
  const world = serviceWorld(helpers, { standing: true, answers });
  const bodies = (): readonly unknown[] => world.asked.map(({ body }) => JSON.parse(body!) as unknown);
  /** A page, so much later, on which the usage is as in the diagram. */
  const page = (diagram: string, ms = 0): void => {
    const streams = { ...world.streams, sharing$: of(true), usage$: helpers.cold(diagram, usages) };
    const visit = thirdPartyUsage(streams, { ...world.deps, now: () => noon + ms }).subscribe();
    helpers.flush();
    visit.unsubscribe();
  };
  return { ...world, bodies, page };
};
const reportOf = (tpd_segments: object, time = noonText) => ({ user_id: visitorId, time, tpd_segments });

describe('thirdPartyUsage', () => {
  marble('reports the segments that made cohorts true, and again when they change', (helpers) => {
    const { page, bodies, asked } = worldOf(helpers);
    page('n-o 20ms o 20ms t');
    expect(bodies()).toEqual([reportOf({ acme: ['1'] }), reportOf({ acme: ['1', '2'], northlight: ['7'] })]);
    expect(asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'POST /v2.0/tpd/usage',
      'POST /v2.0/tpd/usage',
    ]);
  });

  marble('sends one report at a time, the latest after the first', (helpers) => {
    const { page, bodies } = worldOf(helpers);
    page('(on)t 2ms o 2ms t');
    expect(bodies()).toHaveLength(2);
  });

  marble('does not repeat the report of an earlier page', (helpers) => {
    const { page, asked } = worldOf(helpers);
    page('t');
    page('t', 1000);
    expect(asked).toHaveLength(1);
    page('o', 2000);
    expect(asked).toHaveLength(2);
  });

  marble('after a failure waits 600,000 ms, on any page', (helpers) => {
    const { page, asked, deps } = worldOf(helpers, {});
    page('o 20ms t');
    page('t', 599_999);
    expect(asked).toHaveLength(1);
    expect(linesOf(deps.report)).toEqual([
      'Failed to report TPD usage: Failed ajax request. Status code was 500.',
      'Blocked by backoff: ',
      'Blocked by backoff: ',
    ]);
    page('t', 600_000);
    expect(asked).toHaveLength(2);
  });

  marble('says nothing of a visitor who does not share data', ({ hot, flush, ...helpers }) => {
    const { streams, deps, asked } = serviceWorld(helpers, { standing: true, answers: {} });
    const [usage$, sharing$] = [hot('-o', usages), of(false)];
    thirdPartyUsage({ ...streams, usage$, sharing$ }, deps).subscribe();
    flush();
    expect(asked).toEqual([]);
  });
});
