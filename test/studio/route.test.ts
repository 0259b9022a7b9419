import * as fc from 'fast-check';

import { fragmentOf, type Route, routeOf, tokenOf } from '../../studio/page/state/route';
import { law } from '../support/laws';

describe('The address of a view', () => {
  const routes: readonly Route[] = [
    { view: 'cohorts' },
    { view: 'publish' },
    { view: 'try', shared: undefined },
    { view: 'make', cohort: undefined },
    { view: 'size', cohort: '20402' },
    { view: 'test', cohort: 'a/b?c&token=d é' },
    { view: 'buyers', cohort: '20402' },
  ];

  test.each(routes)('leads back to it: %j', (route) => {
    expect(routeOf(fragmentOf(route, ''))).toEqual(route);
    expect(routeOf(fragmentOf(route, 'secret'))).toEqual(route);
  });

  test('has the token', () => {
    expect(tokenOf(`http://127.0.0.1/${fragmentOf({ view: 'publish' }, 'abc-1')}`)).toBe('abc-1');
    expect(tokenOf('http://127.0.0.1/#token=abc-1')).toBe('abc-1');
    expect(tokenOf(`http://127.0.0.1/?token=abc${fragmentOf({ view: 'publish' }, '')}`)).toBe('abc');
    expect(tokenOf('http://127.0.0.1/')).toBe('');
  });

  test('of nothing that is known is that of the list', () => {
    for (const fragment of ['', '#', '#/', '#/nothing', '#/cohort', '#/cohort/1/nothing', '#token=a'])
      expect(routeOf(fragment)).toEqual({ view: 'cohorts' });
  });

  const query = fc.record({
    text: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('{"p":"a/b?token=x&token=y#token=z"}')),
    seed: fc.nat(),
    taste: fc.string(),
    at: fc.nat(),
  });

  test(
    'brings back the query that was tried, and a token that stands in it is none',
    law(query, (shared) => {
      for (const token of ['', 'abc-1']) {
        const fragment = fragmentOf({ view: 'try', shared }, token);
        expect(routeOf(fragment)).toEqual({ view: 'try', shared });
        expect(tokenOf(fragment)).toBe(token);
      }
    }),
  );

  test.each(['%', '%7B%7D', '%7B%22text%22%3A1%7D'])('without a query that can be read brings none: %s', (part) => {
    expect(routeOf(`#/try/${part}`)).toEqual({ view: 'try', shared: undefined });
  });
});
