import { defer, distinctUntilChanged, map, merge, NEVER, Observable, of, startWith, switchMap } from 'rxjs';

import type { Stage } from '../model/pageContext';
import { shareState } from '../operators/shareState';
import type { LoadedPermutive } from '../page/loadedPermutive';
import { pageCall, type PagePermutive } from './pageCall';

/** A cohort as publishers see it: a number where it is one. */
export type Code = number | string;

/** What the page's object tells, as streams. Unsubscribing removes the listeners from the object. */
export interface PermutiveStreams {
  /**
   * State without a value at first: true once `ready` answers for the stage. The state stays true after consent has
   * gone.
   */
  readonly reached: Readonly<Record<Stage, Observable<true>>>;
  /** State: codes of the visitor's cohorts in a group or for a platform. None without consent. */
  readonly codes: (group: string) => Observable<readonly Code[]>;
  /** State: whether consent is given; undefined where nothing was said of it. */
  readonly isConsentGiven$: Observable<boolean | undefined>;
}

/** One list for all, because React compares states by identity. */
export const noCodes: readonly Code[] = [];

const streams = new WeakMap<PagePermutive, PermutiveStreams>();

/**
 * The streams of a page's object. The streams are made once for each object: its `ready` has no way to be called off.
 */
export const streamsOf = (permutive: PagePermutive): PermutiveStreams => {
  const known = streams.get(permutive) ?? pageStreams(permutive);
  streams.set(permutive, known);
  return known;
};

const pageStreams = (permutive: PagePermutive): PermutiveStreams => {
  const reached = (stage: Stage): Observable<true> =>
    new Observable<true>((reached) => pageCall(permutive, 'ready', () => reached.next(true), stage)).pipe(
      shareState(NEVER),
    );
  // A queued `segments` is answered as soon as the methods are there, also where the engine never answers.
  const queued$ = new Observable<LoadedPermutive>((bound) =>
    pageCall(permutive, 'segments', () => {
      if (isBound(permutive)) bound.next(permutive);
    }),
  ).pipe(shareState(NEVER));
  const bound$ = defer(() => (isBound(permutive) ? of(permutive) : queued$));
  return {
    reached: { initialised: reached('initialised'), realtime: reached('realtime') },
    codes: (group) => bound$.pipe(switchMap((bound) => pageCodes(bound, group))),
    isConsentGiven$: bound$.pipe(switchMap(isConsentGiven)),
  };
};

/** Whether the SDK has put its methods and streams on the object. */
const isBound = (permutive: PagePermutive): permutive is LoadedPermutive => Object.hasOwn(permutive, 'cohorts$');

const pageCodes = (permutive: LoadedPermutive, group: string): Observable<readonly Code[]> =>
  merge(of(undefined), ofThisCopy(permutive.cohorts$), announced(permutive, /^consent-revoked$/)).pipe(
    map(() => codesNow(permutive, group)),
    startWith(noCodes),
    distinctUntilChanged((a, b) => a.length === b.length && a.every((code, i) => code === b[i])),
  );

/** The answer of `segments`, which calls back at once. */
const codesNow = (permutive: LoadedPermutive, group: string): readonly Code[] => {
  let now: readonly Code[] = [];
  void permutive.segments((codes) => (now = codes), group);
  return now;
};

const isConsentGiven = (permutive: LoadedPermutive): Observable<boolean | undefined> =>
  merge(
    // What holds since the start is not announced. The methods are there once a visit runs, or after a refusal.
    defer(() => of(permutive.context.user_id !== undefined)),
    announced(permutive, /^consent-(given|revoked)$/).pipe(map((name) => name === 'consent-given')),
  ).pipe(distinctUntilChanged());

/** Names of announcements that match. */
const announced = (permutive: LoadedPermutive, names: RegExp): Observable<string> =>
  new Observable((heard) => {
    const handle = permutive.on(names, ({ name }) => heard.next(name));
    return () => void handle.remove();
  });

/** A stream of the SDK, which has a copy of RxJS of its own, as one of this copy. */
const ofThisCopy = <Value>(stream$: Observable<Value>): Observable<Value> =>
  new Observable((values) => stream$.subscribe(values));
