/** @jest-environment jsdom */
import type { Subscription } from 'rxjs';

import { openAddress, type PageAddress } from '../../studio/page/state/addresses';
import type { Route } from '../../studio/page/state/route';

const make = (cohort: string): Route => ({ view: 'make', cohort });
const test17: Route = { view: 'test', cohort: '17' };

describe('The address of the page', () => {
  let address: PageAddress;
  let routes: Route[];
  let shown: Subscription;

  /** What browsers do later when somebody follows a link: the address changes at once, and the page hears of it. */
  const heard = (): Promise<unknown> =>
    new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));

  beforeEach(() => {
    history.replaceState(null, '', '#/cohort/17/make?token=secret');
    address = openAddress(window, 'secret');
    routes = [];
    shown = address.route$.subscribe((route) => routes.push(route));
  });
  afterEach(() => shown.unsubscribe());

  test('is heard at first and after each link', async () => {
    expect(address.first).toEqual(make('17'));
    address.go(test17);
    await heard();
    expect(location.hash).toBe('#/cohort/17/test?token=secret');
    expect(routes).toEqual([make('17'), test17]);
  });

  test('gets the token where a link has none', async () => {
    location.hash = '#/publish';
    await heard();
    expect(location.hash).toBe('#/publish?token=secret');
    expect(routes).toEqual([make('17'), { view: 'publish' }]);
  });

  test('follows its view without a step in the history', () => {
    const steps = history.length;
    address.rewrite(make('18'));
    address.rewrite(make('19'));
    expect(location.hash).toBe('#/cohort/19/make?token=secret');
    expect(history.length).toBe(steps);
  });

  test('stays that of a link that was followed before the view has said what it shows', async () => {
    location.hash = '#/cohort/18/make';
    address.rewrite(make('19'));
    expect(location.hash).toBe('#/cohort/18/make');
    await heard();
    expect(routes).toEqual([make('17'), make('18')]);
  });

  test('stays that of a link that was followed before the page listened', async () => {
    shown.unsubscribe();
    location.hash = '#/cohort/18/make';
    address.rewrite(make('19'));
    shown = address.route$.subscribe((route) => routes.push(route));
    expect(routes).toEqual([make('17'), make('18')]);
    await heard();
  });

  test('stays that of another view, which the one before it does not know of yet', async () => {
    address.go({ view: 'publish' });
    await heard();
    address.rewrite(make('19'));
    expect(location.hash).toBe('#/publish?token=secret');
  });
});
