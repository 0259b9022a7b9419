import {
  concat,
  debounceTime,
  defer,
  distinctUntilChanged,
  EMPTY,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  race,
  startWith,
  switchMap,
  take,
  timer,
} from 'rxjs';

import { contentUrls } from '../contracts/contentUrl';
import type { Data } from '../model/engineCommands';
import type { ServiceOutput } from '../model/serviceOutput';
import type { CohortService, ServiceDeps, ServiceStreams } from './service';

/** The page is idle once nothing was tracked for so long, or after the longest wait. */
const lookupQuietMs = 1000;
const lookupWaitMs = 5000;

/**
 * Asks for the visitor's place and for what the page is about. Data that a query of the project looks up is asked for
 * at once, and given to the engine; the queries are held while the content of another address is on its way. All else
 * is asked for in each view once the page is idle, for `permutive.context` and the next Pageviews (contract: cohort
 * services).
 */
export const pageDataLookups: CohortService = (streams, deps) =>
  merge(forQueries(streams, deps), whenIdle(streams, deps));

const forQueries = (streams: ServiceStreams, deps: ServiceDeps): Observable<ServiceOutput> => {
  const { viewed$, lookup } = streams;
  const wanted: readonly string[] = deps.project.lookups ?? [];
  const contentUrl = contentUrls(streams, deps);
  const url$ = defer(() => viewed$.pipe(map(contentUrl), startWith(contentUrl()), distinctUntilChanged()));
  return merge(
    // The place does not depend on the page.
    wanted.includes('geo') ? lookup('geo', '') : EMPTY,
    wanted.includes('classification')
      ? url$.pipe(
          // switchMap: the content of a page that was left is of no use.
          switchMap((url) => concat(of<Data>({ classification: null }), lookup('classification', url))),
        )
      : EMPTY,
  ).pipe(map((patch) => ({ type: 'data', patch })));
};

const whenIdle = (streams: ServiceStreams, deps: ServiceDeps): Observable<never> => {
  const { viewed$, event$, lookup } = streams;
  return viewed$.pipe(
    map(contentUrls(streams, deps)),
    switchMap((url) => {
      const quiet$ = event$.pipe(startWith(undefined), debounceTime(lookupQuietMs));
      return race(quiet$, timer(lookupWaitMs)).pipe(
        take(1),
        switchMap(deps.yieldThread),
        switchMap(() => merge(lookup('geo', ''), lookup('classification', url))),
      );
    }),
    ignoreElements(),
  );
};
