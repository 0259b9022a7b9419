import { distinctUntilChanged, fromEvent, map, type Observable, startWith, tap, throttleTime } from 'rxjs';

import { fragmentOf, type Route, routeOf, tokenOf } from './route';

/** How far apart two changes of the page’s address are at least. Safari refuses the 101st within ten seconds. */
const paceMs = 150;

/** Of what a person types or drags, what the page's address is made of: the last of it always. */
export const addressedInTime = <A>(changes$: Observable<A>): Observable<A> =>
  changes$.pipe(distinctUntilChanged(), throttleTime(paceMs, undefined, { leading: true, trailing: true }));

/** The page's address, and what it asks for. */
export interface PageAddress {
  /** The view that the address asks for: the present one, and each that a link leads to. */
  readonly route$: Observable<Route>;
  readonly first: Route;
  /** The address of a route, for links. */
  readonly link: (route: Route) => string;
  readonly go: (route: Route) => void;
  /** Says in the address what has changed in its view, without a step in the history. */
  readonly rewrite: (route: Route) => void;
}

/** `token`: the one that the page was opened with, which each address of the page has. */
export const openAddress = (page: Window, token: string): PageAddress => {
  const { location, history } = page;
  const link = (route: Route): string => fragmentOf(route, token);
  let shown = location.hash;
  const rewrite = (route: Route): void => {
    // Who has just followed a link is on the way elsewhere, and the page may not have heard of it yet.
    if (location.hash !== shown || routeOf(shown).view !== route.view) return;
    history.replaceState(null, '', link(route));
    shown = location.hash;
  };
  const route$ = fromEvent(page, 'hashchange').pipe(
    // The address may have changed before the page listens.
    startWith(null),
    map(() => routeOf((shown = location.hash))),
    // A link that somebody else has made has no token, and a reload needs it.
    tap((route) => {
      if (tokenOf(shown) !== token) rewrite(route);
    }),
  );
  const go = (route: Route): void => {
    location.hash = link(route);
  };
  return { route$, first: routeOf(shown), link, go, rewrite };
};
