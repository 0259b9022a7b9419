/** What the page shows. `cohort`: its id; undefined for the new one. */
export type Route =
  { readonly view: 'cohorts' | 'publish' } | { readonly view: CohortView; readonly cohort: string | undefined };
export type CohortView = 'make' | 'size' | 'test';

const cohortViews: readonly string[] = ['make', 'size', 'test'] satisfies readonly CohortView[];

/** The token of the address, wherever it stands in it. */
export const tokenOf = (address: string): string => /[?&#]token=([^&#]+)/.exec(address)?.[1] ?? '';

/** The route of a fragment. What cannot be read leads to the list. */
export const routeOf = (fragment: string): Route => {
  const [path = ''] = fragment.replace(/^#/, '').split('?');
  const [, first, second, third] = path.split('/');
  if (first === 'publish') return { view: 'publish' };
  const isView = (name: string | undefined): name is CohortView => name !== undefined && cohortViews.includes(name);
  if (first === 'new' && isView(second)) return { view: second, cohort: undefined };
  if (first === 'cohort' && second !== undefined && isView(third))
    return { view: third, cohort: decodeURIComponent(second) };
  return { view: 'cohorts' };
};

/** The fragment of a route. A token that stands in the fragment `from` is kept. */
export const fragmentOf = (route: Route, from: string): string => {
  const token = tokenOf(from);
  const path =
    'cohort' in route
      ? route.cohort === undefined
        ? `/new/${route.view}`
        : `/cohort/${encodeURIComponent(route.cohort)}/${route.view}`
      : `/${route.view}`;
  return `#${path}${token === '' ? '' : `?token=${token}`}`;
};
