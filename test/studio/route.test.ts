import { fragmentOf, type Route, routeOf, tokenOf } from '../../studio/page/state/route';

describe('The address of a view', () => {
  const routes: readonly Route[] = [
    { view: 'cohorts' },
    { view: 'publish' },
    { view: 'make', cohort: undefined },
    { view: 'size', cohort: '20402' },
    { view: 'test', cohort: 'a/b?c&token=d é' },
  ];

  test.each(routes)('leads back to it: %j', (route) => {
    expect(routeOf(fragmentOf(route, ''))).toEqual(route);
    expect(routeOf(fragmentOf(route, '#/cohorts?token=secret'))).toEqual(route);
  });

  test('keeps a token that stands in the fragment', () => {
    expect(tokenOf(`http://127.0.0.1/${fragmentOf({ view: 'publish' }, '#token=abc-1')}`)).toBe('abc-1');
    expect(tokenOf(`http://127.0.0.1/?token=abc${fragmentOf({ view: 'publish' }, '')}`)).toBe('abc');
    expect(tokenOf('http://127.0.0.1/')).toBe('');
  });

  test('of nothing that is known is that of the list', () => {
    for (const fragment of ['', '#', '#/', '#/nothing', '#/cohort', '#/cohort/1/nothing', '#token=a'])
      expect(routeOf(fragment)).toEqual({ view: 'cohorts' });
  });
});
