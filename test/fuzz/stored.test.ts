import * as fc from 'fast-check';

import { visitorId } from '../support/events';
import { brokenJson, email, fuzz, persona } from './support/hostile';
import { openPage } from './support/stage';

const event = {
  id: visitorId,
  name: 'Pageview',
  time: '2026-01-01T12:00:00.000Z',
  properties: { persona },
  session_id: visitorId,
  view_id: visitorId,
};
const queued = { ...event, user_id: visitorId, segments: [1], cohorts: ['1'] };
/** What each key holds when all is well. */
const keys: Readonly<Record<string, unknown>> = {
  'permutive-id': visitorId,
  'permutive-session': { session_id: visitorId, last_updated: event.time },
  'permutive-app': {
    core: { cohorts: { all: ['1', '2'] } },
    eventPublication: { eventUpload: [[visitorId, { event: queued }]] },
  },
  'permutive-data-misc': {
    metricsEnabled: true,
    identities: {},
    metricsSession: { id: 'a', sessions: 1, inits: 1, views: 1 },
  },
  'permutive-prebid-rtd': { acBidders: ['a'] },
  _psegs: [1, 2],
  _pdfps: ['1'],
};
const storages = fc
  .record(
    Object.fromEntries(
      Object.entries(keys).map(([key, value]) => [
        key,
        fc.option(fc.oneof(fc.constant(JSON.stringify(value)), brokenJson(fc.constant(value))), { nil: undefined }),
      ]),
    ),
  )
  .map(
    (stored) =>
      Object.fromEntries(
        Object.entries(stored).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])),
      ) as Record<string, string>,
  );

describe('Stored values', () => {
  it(
    'that are broken cost themselves: the SDK starts and takes events',
    fuzz(
      fc.tuple(storages, fc.oneof(fc.string(), fc.constantFrom(visitorId, '', email))),
      ([local, cookie]) => {
        const page = openPage({ local, cookies: { 'permutive-id': cookie } });
        page.expectWell();
        page.stop();
      },
      Object.keys(keys).length,
    ),
  );

  it(
    'cost no neighbour: an intact event beside broken ones is still sent',
    fuzz(
      fc.array(brokenJson(fc.constant([visitorId, { event: queued }])), { maxLength: 5 }),
      (broken) => {
        const entries = broken.map((text) => {
          try {
            return JSON.parse(text) as unknown;
          } catch {
            return text;
          }
        });
        const intact = { ...queued, id: '00000000-0000-4000-8000-00000000beef' };
        const state = {
          core: { cohorts: { all: entries } },
          eventPublication: { eventUpload: [...entries, [intact.id, { event: intact }]] },
        };
        const page = openPage({ local: { 'permutive-app': JSON.stringify(state) } });
        page.platform.fire('window', 'pagehide');
        const sent = page.platform.requests
          .filter(({ url }) => url.includes('batch/events'))
          .flatMap(({ body }) => (JSON.parse(body ?? '[]') as { id: string }[]).map(({ id }) => id));
        if (!sent.includes(intact.id)) throw new Error('The intact event was lost');
        page.stop();
      },
      10,
    ),
  );

  it(
    'of consent that are broken count as revoked, and nothing is thrown',
    fuzz(
      brokenJson(fc.constant({ opt_in: true, token: 'given' })),
      (text) => {
        const page = openPage({ local: { 'permutive-consent': text } });
        page.call('consent', { opt_in: true });
        page.initialise();
        page.expectWell();
        page.stop();
      },
      10,
    ),
  );
});
