import * as fc from 'fast-check';

import { type Answers, contextOf, fields, filled, noAnswers } from '../../../src/streams/enrichment/fields';
import { placeholdersIn } from '../../../src/streams/enrichment/placeholders';
import { law } from '../../support/laws';

const geo = { continent: 'Europe', country: 'Germany', city: 'Essen', province: null, postal_code: null };
const isp = {
  isp: 'Ruhrnetz',
  organization: 'Ruhrnetz',
  autonomous_system_number: 64503,
  autonomous_system_organization: 'RUHRNETZ',
};
const term = (text: string) => ({ text, relevance: 0.5 });
const data: Answers = {
  geoip: { geo_info: geo, isp_info: isp, ip_hash: 'abc', ip_address: '192.0.2.1' },
  watson: {
    concepts: [term('copper')],
    emotion: { document: { emotion: { joy: 0.5 } } },
    sentiment: { document: { label: 'positive', score: 0.4 } },
    entities: [term('Northfield'), term('Harbour')],
    keywords: [term('futures')],
    taxonomy: [
      { label: '/finance/investing/stocks', score: 0.9 },
      { label: '/finance/investing/bonds', score: 0.8 },
      { label: 'sport/golf', score: 0.1 },
    ],
  },
};
const labels = [
  '/finance',
  '/finance/investing',
  '/finance/investing/stocks',
  '/finance/investing/bonds',
  'sport',
  'sport/golf',
];

describe('placeholders', () => {
  it.each([
    ['$ip_geo_info', geo, null],
    ['$ip_geo_info_continent', 'Europe', null],
    ['$ip_isp_info', isp, null],
    ['$ip_address', '192.0.2.1', null],
    ['$ip_address_hash', 'abc', null],
    ['$alchemy_concepts', [term('copper')], []],
    ['$alchemy_document_emotion', { joy: 0.5 }, null],
    ['$alchemy_document_sentiment', { label: 'positive', score: 0.4 }, null],
    ['$alchemy_entities', [term('Northfield'), term('Harbour')], []],
    ['$alchemy_entity_names', ['Northfield', 'Harbour'], []],
    ['$alchemy_keywords', [term('futures')], []],
    ['$alchemy_taxonomy', data.watson.taxonomy, []],
    ['$alchemy_taxonomy_labels', labels, []],
    ['$taxonomy_labels', labels, []],
  ])('%s stands for its data, and for nothing where there is none', (name, expected, empty) => {
    expect(placeholdersIn({ a: name })).toEqual([name]);
    expect(filled({ a: name }, data)).toEqual({ a: expected });
    expect(filled({ a: name }, noAnswers)).toEqual({ a: empty });
    expect(
      filled(
        { a: name },
        { geoip: { geo_info: null, isp_info: null }, watson: { taxonomy: null, entities: null, emotion: null } },
      ),
    ).toEqual({ a: empty });
  });

  it('are replaced anywhere', () => {
    const properties = {
      article: { place: [{ geo: '$ip_geo_info_continent' }, '$ip_address_hash'], title: '$ip' },
      n: 1,
      none: null,
    };
    expect(placeholdersIn(properties)).toEqual(['$ip_geo_info_continent', '$ip_address_hash']);
    expect(filled(properties, data)).toEqual({
      article: { place: [{ geo: 'Europe' }, 'abc'], title: '$ip' },
      n: 1,
      none: null,
    });
  });

  it('are recognised where their data can be read', () => {
    expect(placeholdersIn(Object.keys(fields))).toEqual(Object.keys(fields));
  });

  it.each(['$toString', '$constructor', '$ip_geo', 'ip_geo_info', ' $ip_geo_info', ''])(
    'are no other text: %p',
    (text) => {
      expect(placeholdersIn([text])).toEqual([]);
      expect(filled([text], data)).toEqual([text]);
    },
  );

  it(
    'leave everything else as it is',
    law(fc.jsonValue(), (value) => {
      fc.pre(placeholdersIn(value).length === 0);
      expect(filled(value, data)).toEqual(value);
    }),
  );
});

it('has the place flat in the context, and nothing that was not asked for', () => {
  expect(contextOf({})).toEqual({});
  expect(contextOf(data)).toEqual({ geoip: { ...isp, ...geo }, watson: data.watson });
  expect(contextOf({ geoip: {} })).toEqual({ geoip: {} });
});
