import * as fc from 'fast-check';

import { configTable } from '../../../src/model/config';
import { type Overrides, overridesFromQuery, overridesFromStore } from '../../../src/streams/visitor/overrides';
import { law } from '../../support/laws';

describe('overridesFromQuery', () => {
  it.each<readonly [string, Overrides]>([
    ['', {}],
    ['?a=b', {}],
    ['?permutive_debug=true', { loggingEnabled: true }],
    ['?permutive_debug=1', { loggingEnabled: false }],
    ['?__permutive.loggingEnabled=true', { loggingEnabled: true }],
    ['?__permutive.loggingEnabled=TRUE', { loggingEnabled: false }],
    ['?__permutive.loggingEnabled=', { loggingEnabled: false }],
    ['?__permutive.loggingEnabled=false&permutive_debug=true', { loggingEnabled: false }],
    ['?__permutive.tracingEnabled=true', { tracingEnabled: true }],
    ['?__permutive.requestTimeout=2500', { requestTimeout: 2500 }],
    ['?__permutive.requestTimeout=2e3', { requestTimeout: 2000 }],
    [
      '?__permutive.eventsTTLInDays=7&__permutive.eventsCacheLimitBytes=1000000',
      { eventsTTLInDays: 7, eventsCacheLimitBytes: 1_000_000 },
    ],
    ['?__permutive.prebidAuctionsRandomDownsamplingThreshold=0.5', { prebidAuctionsRandomDownsamplingThreshold: 0.5 }],
    ['?requestTimeout=2500', {}],
    ['?permutive.requestTimeout=2500', {}],
    ['?__permutive.%E0%A4%A=1', {}],
  ])('%s', (query, expected) => {
    expect(overridesFromQuery(query)).toEqual(expected);
  });

  it.each(['abc', '', ' ', 'NaN', '1,5', '5ms', 'undefined'])('ignores a number that is none: %p', (text) => {
    expect(overridesFromQuery(`?__permutive.requestTimeout=${encodeURIComponent(text)}`)).toEqual({});
  });

  it.each([
    ['requestTimeout', '0', 1000],
    ['requestTimeout', '999', 1000],
    ['requestTimeout', '1000', 1000],
    ['requestTimeout', '30000', 30_000],
    ['requestTimeout', '30001', 30_000],
    ['requestTimeout', 'Infinity', 30_000],
    ['metricsSamplingPercentage', '-1', 0],
    ['metricsSamplingPercentage', '101', 100],
    ['eventsTTLInDays', '0.0000001', 1],
    ['eventsCacheLimitBytes', '1', 500_000],
    ['localStorageWriteDelay', '-1', 0],
    ['localStorageWriteMaxDelay', '1e9', 30_000],
    ['prebidAuctionsRandomDownsamplingThreshold', '2', 1],
  ])('keeps %s=%s within its bounds', (name, text, expected) => {
    expect(overridesFromQuery(`?__permutive.${name}=${text}`)).toEqual({ [name]: expected });
  });

  it.each(['eventsTTLInDays', 'eventsCacheLimitBytes'])(
    'takes 0 and less of %s for no limit, as the settings do',
    (name) => {
      for (const text of ['0', '-0', '-3', '-1e9', '-Infinity'])
        expect(
          Number(overridesFromQuery(`?__permutive.${name}=${text}`)[name as 'eventsTTLInDays']),
        ).toBeLessThanOrEqual(0);
      expect(Object.values(overridesFromStore({ [name]: 0 })).map(Number)).toEqual([0]);
    },
  );

  it('never changes a host, a protocol, a key or an id', () => {
    const query = Object.keys(configTable)
      .map((name) => `__permutive.${name}=1`)
      .join('&');
    expect(Object.keys(overridesFromQuery(`?${query}`)).sort()).toEqual([
      'eventsCacheLimitBytes',
      'eventsTTLInDays',
      'inspector',
      'localStorageWriteDelay',
      'localStorageWriteMaxDelay',
      'loggingEnabled',
      'metricsSamplingPercentage',
      'prebidAuctionsRandomDownsamplingThreshold',
      'requestTimeout',
      'tracingEnabled',
    ]);
  });

  it(
    'never throws',
    law(fc.string({ unit: 'binary' }), (query) => {
      expect(() => overridesFromQuery(query)).not.toThrow();
    }),
  );
});

describe('overridesFromStore', () => {
  it.each<readonly [unknown, Overrides]>([
    [undefined, {}],
    [null, {}],
    ['requestTimeout', {}],
    [[], {}],
    [
      { requestTimeout: 2500, loggingEnabled: true },
      { requestTimeout: 2500, loggingEnabled: true },
    ],
    [{ requestTimeout: 0 }, { requestTimeout: 1000 }],
    [{ requestTimeout: NaN }, {}],
    [{ requestTimeout: '250' }, {}],
    [{ requestTimeout: null, loggingEnabled: {} }, {}],
    [{ apiHost: 'evil.example', apiKey: 'k', consentRequired: false }, {}],
    [Object.create({ requestTimeout: 2500 }), {}],
  ])('%p', (stored, expected) => {
    expect(overridesFromStore(stored)).toEqual(expected);
  });

  it(
    'takes back what the query gave',
    law(fc.constantFrom('0', '1', '2500', '1e9', 'true', 'x'), (text) => {
      const query = Object.keys(configTable)
        .map((name) => `__permutive.${name}=${text}`)
        .join('&');
      const overrides = overridesFromQuery(query);
      expect(overridesFromStore(JSON.parse(JSON.stringify(overrides)))).toEqual(overrides);
    }),
  );
});
