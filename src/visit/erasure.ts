import { defer, EMPTY, ignoreElements, merge, type Observable } from 'rxjs';

import { answerWithNothing } from '../api/answerWithNothing';
import { call } from '../endpoints/call';
import { reset } from '../endpoints/reset';
import { type Consent, isRefusal } from '../model/consent';
import { perform } from '../operators/creators/perform';
import { isolate } from '../operators/isolate';
import { eraseTab, eraseVisitor, keepUser } from '../streams/visitor/userId';
import type { World } from './world';

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
 * Tells the server of a reset, puts another user id in the place of the visitor's, and erases what is stored of them.
 * The journal stays, because events that were accepted before the reset are still delivered.
 */
export const resetVisitor = (world: World): Observable<never> =>
  merge(
    call(reset, {}, world).pipe(isolate('Error resetting internals', world.report), ignoreElements()),
    defer(() => {
      keepUser(world.newId(), world);
      eraseTab(world);
      return world.eraseStore();
    }),
  );

/**
 * Without consent: answers every call of the page with nothing. A visitor who has refused is forgotten, with the
 * journal of undelivered events. Of one who was not asked yet nothing is erased, because another host of the site may
 * have consent. Stays subscribed while consent is missing.
 */
export const withoutConsent = (world: World, consent: Consent): Observable<never> =>
  merge(
    answerWithNothing(world.calls),
    isRefusal(consent)
      ? merge(
          forgetVisitor(world),
          world.journal.erase(),
          // After the erasures of local storage, which have made room.
          perform(world.keepRefusal),
        ).pipe(ignoreElements())
      : EMPTY,
  );
