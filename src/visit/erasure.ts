import { defer, ignoreElements, merge, type Observable, tap } from 'rxjs';

import { call } from '../endpoints/call';
import { reset } from '../endpoints/reset';
import { perform } from '../operators/creators/perform';
import { isolate } from '../operators/isolate';
import { eraseVisitor } from '../streams/visitor/userId';
import type { World } from '../world';

/**
 * Removes what is stored of the visitor in cookies, local and session storage and the encrypted store, except the
 * answer about consent (spec C§4).
 */
const forgetVisitor = (world: World): Observable<never> =>
  defer(() => {
    eraseVisitor(world);
    return world.eraseStore();
  });

/**
 * Tells the server of a reset and erases what is stored of the visitor. The next visit generates another user id. The
 * journal stays, because events that were accepted before the reset are still delivered.
 */
export const resetVisitor = (world: World): Observable<never> =>
  merge(
    call(reset, {}, world).pipe(isolate('Error resetting internals', world.report), ignoreElements()),
    forgetVisitor(world),
  );

/**
 * Without consent: erases what is stored, the journal of undelivered events included, and answers every call of the
 * page with null. Stays subscribed while consent is missing.
 */
export const withoutConsent = (world: World): Observable<never> =>
  merge(
    forgetVisitor(world),
    world.journal.erase(),
    // After the erasures of local storage, which have made room.
    perform(world.keepRefusal),
    world.calls.track$.pipe(tap(({ accepted }) => accepted(null))),
    world.calls.reset$.pipe(tap((done) => done())),
    world.calls.identify$.pipe(tap(({ done }) => done(null))),
    world.calls.explain$.pipe(tap(({ tell }) => tell(null))),
  ).pipe(ignoreElements());
