import { sharedOf, type SharedQuery, sharedText } from './sharedQuery';

/** What the page shows. `cohort`: its id; undefined for the new one. `shared`: the query that an address brings. */
export type Route =
  | { readonly view: 'cohorts' | 'publish' }
  | { readonly view: 'try'; readonly shared: SharedQuery | undefined }
  | { readonly view: CohortView; readonly cohort: string | undefined };
export type CohortView = 'make' | 'size' | 'test' | 'buyers';

const cohortViews: readonly string[] = ['make', 'size', 'test', 'buyers'] satisfies readonly CohortView[];

/** The token of the address, wherever it stands in it. */
export const tokenOf = (address: string): string => /[?&#]token=([^&#]+)/.exec(address)?.[1] ?? '';

/** The route of a fragment. What cannot be read leads to the list. */
export const routeOf = (fragment: string): Route => {
  const [path = ''] = fragment.replace(/^#/, '').split('?');
  const [, first, second, third] = path.split('/');
  if (first === 'publish') return { view: 'publish' };
  if (first === 'try') return { view: 'try', shared: sharedOf(second) };
  const isView = (name: string | undefined): name is CohortView => name !== undefined && cohortViews.includes(name);
  if (first === 'new' && isView(second)) return { view: second, cohort: undefined };
  if (first === 'cohort' && second !== undefined && isView(third))
    return { view: third, cohort: decodeURIComponent(second) };
  return { view: 'cohorts' };
};

/** The fragment of a route, with the token where there is one. */
export const fragmentOf = (route: Route, token: string): string =>
  `#${pathOf(route)}${token === '' ? '' : `?token=${token}`}`;

const pathOf = (route: Route): string => {
  if ('cohort' in route)
    return route.cohort === undefined
      ? `/new/${route.view}`
      : `/cohort/${encodeURIComponent(route.cohort)}/${route.view}`;
  if (route.view === 'try' && route.shared !== undefined) return `/try/${sharedText(route.shared)}`;
  return `/${route.view}`;
};
