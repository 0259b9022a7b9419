import {
  defer,
  EMPTY,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  share,
  startWith,
  Subject,
  switchMap,
  tap,
} from 'rxjs';

import type { PageExit } from '../model/pageSignal';
import { mergeInTasks } from '../operators/creators/mergeInTasks';
import type { BacklogDeps } from '../sinks/delivery/backlog';
import {
  type Accepted,
  deliver,
  type Delivering,
  type DeliverStreams,
  type LeftBehind,
} from '../sinks/delivery/deliver';
import type { CountedUntil } from '../sinks/delivery/deliveryState';
import { fromPageExit } from '../streams/dom/fromPageExit';
import { fromReturn } from '../streams/dom/fromReturn';
import { fromPageShown, fromSharedCookies } from '../streams/visitor/fromSharedCookies';
import { type LastView, noView } from '../streams/visitor/sessionAndView';
import { fromUserChange } from '../streams/visitor/userId';
import type { AppState } from './appState';
import { type StoredAppState, storedAppState } from './appStateStore';
import { resetVisitor } from './erasure';
import { type Owner, ownerOf } from './owner';
import type { World } from './world';

/** What a visit is given at its start. Streams and delivery are the same for all visits of the page. */
export interface VisitInput {
  /** The user of the visit, and the world as far as it is theirs. */
  readonly owner: Owner;
  /** The first visit of this document uses the view id that the page's snippet has made. */
  readonly isFirst: boolean;
  /** The view that the visit may go on with. The visit keeps its own view there for the next visit. */
  readonly lastView: LastView;
  /** What the last page, or the last visit of this page, has left in local storage. */
  readonly stored: AppState;
  /** The stored state of every moment. */
  readonly appState: StoredAppState;
  /**
   * The page is hidden or unloads. Hot. At the step `flush`, all events that were accepted are in the upload queue, so
   * that the stored state contains them.
   */
  readonly pageExit$: Observable<PageExit>;
  /** The page is visible again. Hot. */
  readonly pageShown$: Observable<unknown>;
  /** Delivery of events, which outlives the visit. */
  readonly delivery: Delivering;
  /** Gives each event of the page its number, also those of another visit. */
  readonly nextNumber: () => number;
  /** Hands an event over to delivery. */
  readonly accept: (accepted: Accepted) => void;
  /** Tells delivery which events the saved state of an engine has. */
  readonly counted: (until: CountedUntil) => void;
  /** Called when the visit is initialised. The call resolves the page's `reset()`, of an earlier visit too. */
  readonly onReady: () => void;
}

/**
 * Runs one visit after another. A reset, here or in another tab, ends the visit and begins one of a new visitor; so
 * does a page that is shown again after another origin of the site has changed the user. A return from the
 * back-forward cache begins another visit of whoever is the visitor by now; the same visitor may go on with the view
 * before. Delivery outlives the visits: what was accepted in one visit is sent whatever comes after it.
 *
 * In analytics a visit is a session. Here it is one visitor's stay on one page.
 */
export const visits = (given: World, visit: (input: VisitInput) => Observable<never>): Observable<never> =>
  defer(() => {
    const world = { ...given, http: lookingFirst(given) };
    // Calls of `reset` that wait for a visit of the new user.
    const resets: (() => void)[] = [];
    const onReady = (): void => resets.splice(0).forEach((done) => done());
    const return$ = fromReturn(world.listen);
    const pageShown$ = fromPageShown(world).pipe(share());
    const exit$ = fromExit(world);
    // At `beforeFlush` addons emit their final events. `flush` goes through delivery first, which takes all accepted
    // events into its queue.
    const beforeFlush$ = exit$.pipe(filter(({ step }) => step === 'beforeFlush'));
    const flush$ = exit$.pipe(
      filter(({ step }) => step === 'flush'),
      tap(({ isUnloading }) => {
        // What is tracked after the page has gone, until it returns, keeps no view young.
        if (isUnloading) lastView = { ...lastView };
      }),
    );
    const [accepted$, counted$] = [new Subject<Accepted>(), new Subject<CountedUntil>()];
    const userId = (): string | undefined => owner?.userId();
    const appState = storedAppState(world);
    const delivery = deliveryIn({ ...world, userId }, appState.read, accepted$, { flush$, return$, counted$ });
    let number = 0;
    const input = {
      delivery,
      appState,
      nextNumber: () => (number += 1),
      accept: (accepted: Accepted) => accepted$.next(accepted),
      counted: (until: CountedUntil) => counted$.next(until),
      pageShown$,
      pageExit$: merge(beforeFlush$, delivery.flushed$).pipe(share()),
    };
    let owner: Owner | undefined;
    const replaced$ = fromReplacement(world, () => owner);
    // A visit begins at the start, at each reset, at each return, and where the user was replaced.
    const start$ = merge(
      world.calls.reset$.pipe(map((done) => resets.push(done) > 0)),
      merge(return$, replaced$).pipe(map(() => false)),
    ).pipe(startWith(false));
    let lastView = noView();
    const begin = (isFirst: boolean): Observable<never> => {
      const lastUser = owner?.userId();
      owner = ownerOf(world);
      // Another visitor has views of their own, and nobody has said who they are.
      if (owner.userId() !== lastUser) {
        lastView = noView();
        if (lastUser !== undefined) world.calls.dropIdentify();
      }
      return visit({ ...input, owner, isFirst, lastView, stored: appState.read(), onReady });
    };
    return mergeInTasks({ yieldThread: world.yieldThread, hurry$: exit$ }, [
      // Subscribed before the first visit, because delivery takes events only while it is subscribed.
      () => delivery.delivery$.pipe(ignoreElements()),
      () =>
        start$.pipe(
          // switchMap: the visit before ends. defer: the stored state is read after a reset has erased it.
          switchMap((isReset, i) =>
            merge(
              isReset ? resetVisitor(world) : EMPTY,
              defer(() => begin(i === 0)),
            ),
          ),
        ),
      // Without consent, no promise of `reset` stays open.
    ]).pipe(finalize(onReady));
  });

/** When the page may be going away; a navigation within it says so too, once the code for that has loaded. */
const fromExit = ({ listen, page, deferredParts$ }: World): Observable<PageExit> =>
  fromPageExit(listen, page, deferredParts$.pipe(mergeMap(({ fromNavigation }) => fromNavigation(listen))));

/** The delivery of the page's events. */
const deliveryIn = (
  world: World & Pick<BacklogDeps, 'userId'>,
  stored: StoredAppState['read'],
  accepted$: Observable<Accepted>,
  streams: Pick<DeliverStreams, 'flush$' | 'return$' | 'counted$'>,
): Delivering => {
  // What was refused, and what other pages have left, can wait for the chunk, or for a later page.
  const loadJudge$ = world.deferredParts$.pipe(map(({ refusalStep }) => refusalStep));
  const backlog: LeftBehind['backlog'] = (owner) =>
    world.deferredParts$.pipe(mergeMap((parts) => parts.backlog(owner, stored, world)));
  return deliver(
    accepted$,
    { ...streams, online$: world.listen('window', 'online'), loadJudge$ },
    { stored, backlog },
    world,
  );
};

/**
 * Requests that leave only once the page has looked at what other hosts of the site may have changed. Where it finds a
 * refusal, the visits end, and the request does not leave. A beacon only ever follows such a request.
 */
const lookingFirst = ({ http, calls: { beforeRequest } }: World): World['http'] => ({
  ...http,
  send: (request) => of(request).pipe(tap(beforeRequest), mergeMap(http.send)),
});

/**
 * Emits when the browser has got another user meanwhile: from another tab, which an event tells, or from another origin
 * of the site, which a page finds out by the cookie.
 */
const fromReplacement = (world: World, ownerOfNow: () => Owner | undefined): Observable<unknown> =>
  merge(fromUserChange(world.listen), fromSharedCookies({ ...world, ...world.calls })).pipe(
    filter(() => ownerOfNow()?.isReplaced() === true),
  );
