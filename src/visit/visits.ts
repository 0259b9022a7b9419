import {
  defer,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  noop,
  type Observable,
  share,
  startWith,
  Subject,
  switchMap,
  tap,
} from 'rxjs';

import type { PageExit } from '../model/pageSignal';
import { mergeInTasks } from '../operators/creators/mergeInTasks';
import { type Accepted, deliver, type Delivering, type LeftBehind } from '../sinks/delivery/deliver';
import { fromPageExit } from '../streams/dom/fromPageExit';
import { fromReturn } from '../streams/dom/fromReturn';
import type { LastView } from '../streams/visitor/sessionAndView';
import { fromUserChange } from '../streams/visitor/userId';
import type { AppState } from './appState';
import { readAppState } from './appStateStore';
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
  /** Called when the visit is initialised, or when it ends before that. The call resolves the page's `reset()`. */
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
export const visits = (world: World, visit: (input: VisitInput) => Observable<never>): Observable<never> =>
  defer(() => {
    const return$ = fromReturn(world.listen);
    const pageShown$ = fromPageShown(world);
    const exit$ = fromPageExit(
      world.listen,
      world.page,
      world.deferredParts$.pipe(mergeMap(({ fromNavigation }) => fromNavigation(world.listen))),
    );
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
    const accepted$ = new Subject<Accepted>();
    // Silent, because the visit reads the same state and reports its faults.
    const stored = (): AppState => readAppState({ ...world, report: noop });
    // What was refused, and what other pages have left, can wait for the chunk, or for a later page.
    const loadJudge$ = world.deferredParts$.pipe(map(({ refusalStep }) => refusalStep));
    const takeOver: LeftBehind['backlog'] = (owner) =>
      world.deferredParts$.pipe(mergeMap(({ backlog }) => backlog(owner, stored, world)));
    const online$ = world.listen('window', 'online');
    const delivery = deliver(accepted$, { flush$, return$, online$, loadJudge$ }, { stored, backlog: takeOver }, world);
    let number = 0;
    const input = {
      delivery,
      nextNumber: () => (number += 1),
      accept: (accepted: Accepted) => accepted$.next(accepted),
      pageShown$,
      pageExit$: merge(beforeFlush$, delivery.flushed$).pipe(share()),
    };
    let owner: Owner | undefined;
    const replaced$ = fromReplacement(world, pageShown$, () => owner);
    // A visit begins at the start, at each reset, at each return, and where the user was replaced.
    const start$ = merge(
      world.calls.reset$.pipe(map((onReady) => ({ isReset: true, onReady }))),
      merge(return$, replaced$).pipe(map(() => ({ isReset: false, onReady: noop }))),
    ).pipe(startWith({ isReset: false, onReady: noop }));
    let lastView: LastView = { at: 0 };
    const begin = (isFirst: boolean, onReady: () => void): Observable<never> => {
      const lastUser = owner?.userId();
      owner = ownerOf(world);
      // Another visitor has views of their own.
      if (owner.userId() !== lastUser) lastView = { at: 0 };
      return visit({ ...input, owner, isFirst, lastView, stored: readAppState(owner.world), onReady });
    };
    return mergeInTasks({ yieldThread: world.yieldThread, hurry$: exit$ }, [
      // Subscribed before the first visit, because delivery takes events only while it is subscribed.
      () => delivery.delivery$.pipe(ignoreElements()),
      () =>
        start$.pipe(
          // switchMap: the visit before ends. defer: the stored state is read after a reset has erased it.
          switchMap(({ isReset, onReady }, i) =>
            merge(
              isReset ? resetVisitor(world) : EMPTY,
              defer(() => begin(i === 0, onReady)),
            ),
          ),
        ),
    ]);
  });

/** Emits when the page is visible again. Hot. */
const fromPageShown = ({ listen, page }: World): Observable<unknown> =>
  listen('document', 'visibilitychange').pipe(
    filter(() => !page.hidden()),
    share(),
  );

/**
 * Emits when the browser has got another user meanwhile: from another tab, which an event tells, or from another origin
 * of the site, which a page finds out by the cookie once it is shown again.
 */
const fromReplacement = (
  { listen }: Pick<World, 'listen'>,
  pageShown$: Observable<unknown>,
  ownerOfNow: () => Owner | undefined,
): Observable<unknown> => {
  const isReplaced = (): boolean => ownerOfNow()?.isReplaced() === true;
  // `isErased` is asked first, because `isReplaced` writes a missing id again.
  return merge(
    fromUserChange(listen).pipe(filter(() => ownerOfNow()?.isErased() === true || isReplaced())),
    pageShown$.pipe(filter(isReplaced)),
  );
};
