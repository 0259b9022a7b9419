import * as fc from 'fast-check';
import { NEVER, of } from 'rxjs';

import type { Event } from '../../../src/model/event';
import type { HttpRequest } from '../../../src/platform/platform';
import { enrichment } from '../../../src/streams/enrichment/enrichment';
import type { Answers } from '../../../src/streams/enrichment/fields';
import { filling } from '../../../src/streams/enrichment/requests';
import { addressesOf } from '../../support/events';
import { law } from '../../support/laws';
import { worldOf } from '../../support/world';

const names = ['$ip_geo_info', '$ip_isp_info', '$ip_address_hash', '$alchemy_keywords', '$taxonomy_labels'];
const client = {
  type: 'web',
  user_agent: '',
  domain: '',
  title: '$ip_address_hash',
  url: 'https://a.example',
  referrer: '',
};

/** The event once its placeholders are replaced by what the servers say. */
const filledIn = (properties: Event['properties'], { geoip, watson }: Answers): Event => {
  const send = ({ url }: HttpRequest) =>
    of({ status: 200, body: JSON.stringify(url.includes('geoip') ? geoip : watson) });
  const world = worldOf({ send });
  const { enrich } = enrichment({
    ...world,
    ...{ stop$: NEVER, pageExit$: NEVER, pageShown$: NEVER, sendsAddress: false, pageviewFields: {} },
    sessionId: () => 'session',
    addressOf: addressesOf(),
    loadFilling$: of(filling),
  });
  let filled: Event | undefined;
  const event = { id: '', name: 'Pageview', time: '', session_id: '', view_id: '', properties };
  of({ draft: { name: 'Pageview' }, event })
    .pipe(enrich())
    .subscribe(({ event }) => (filled = event));
  return filled!;
};

describe('An event whose placeholders servers fill', () => {
  const text = fc
    .tuple(fc.constantFrom('a', '/a', '漢', '\u0001'), fc.constantFrom(1, 100, 10_000, 50_000))
    .map(([part, times]) => part.repeat(times));

  it(
    'is no larger than one whose properties the page gave',
    law(fc.tuple(fc.array(fc.constantFrom(...names), { maxLength: 30 }), text, text), ([wanted, place, label]) => {
      const data: Answers = {
        geoip: { geo_info: { city: place }, isp_info: { isp: place }, ip_hash: place },
        watson: { taxonomy: [{ label, score: 1 }], keywords: [{ text: place, relevance: 1 }] },
      };
      const { properties } = filledIn({ wanted, first: wanted[0] ?? 1, client }, data);
      expect(Buffer.byteLength(JSON.stringify(properties))).toBeLessThanOrEqual(46 * 1024);
      expect(properties['client']).toEqual(client);
    }),
  );
});
