import {
  concat,
  concatAll,
  defer,
  EMPTY,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  startWith,
  tap,
  timer,
} from 'rxjs';

import { call, type CallDeps } from '../../endpoints/call';
import { identify } from '../../endpoints/identify';
import {
  decodeIdentities,
  distinctIdentities,
  encodeIdentities,
  type GivenIdentity,
  type IdentifyCall,
  type Identities,
  type IdentityState,
  isKnown,
  isUsable,
  thirdPartyIdentities,
  withIdentities,
} from '../../model/identity';
import { readNote, writeNote } from '../../model/notes';
import type { Report } from '../../model/report';
import { UserId } from '../../model/uuid';
import { isolate } from '../../operators/isolate';
import type { TextStorage } from '../../platform/platform';

/** What the visitor's identities need. */
export interface IdentitiesDeps extends CallDeps {
  readonly local: TextStorage;
  readonly now: () => number;
  readonly report: Report;
  /** The visitor's id at this moment. */
  readonly userId: () => string;
  /** Called when the server knows the visitor by another id. */
  readonly adopt: (userId: string) => void;
  /** Finds what third parties know the visitor by. Emits one list. */
  readonly lookUp: (known: Identities) => Observable<readonly (readonly [tag: string, id: string])[]>;
}

/**
 * State: the visitor's identities, first as stored, then after each set that the page or a third party has given and
 * the server has accepted. A known set causes no request, and after a failed request the identities are unchanged.
 * `ready` once third parties were asked (spec C§4).
 */
export const identities = (call$: Observable<IdentifyCall>, deps: IdentitiesDeps): Observable<IdentityState> =>
  defer(() => {
    let state: IdentityState = { ready: false, byTag: readIdentities(deps) };
    const waiting = new Set<IdentifyCall['done']>();
    const ingest = (given: readonly GivenIdentity[], message: string): Observable<never> =>
      defer(() => {
        const now = deps.now();
        const aliases = distinctIdentities(given, now);
        if (aliases.every((identity) => isKnown(identity, state.byTag, now))) return EMPTY;
        return call(identify, { body: { user_id: deps.userId(), aliases: [...aliases] } }, deps).pipe(
          tap(({ user_id }) => {
            if (!UserId.is(user_id)) throw new Error('user_id: expected UUID version 4');
            state = { ...state, byTag: withIdentities(state.byTag, aliases, now) };
            writeNote('identities', encodeIdentities(state.byTag, now), deps);
            if (user_id !== deps.userId()) deps.adopt(user_id);
          }),
        );
      }).pipe(isolate(message, deps.report), ignoreElements());

    const called$ = call$.pipe(
      tap(({ given, done }) => {
        waiting.add(done);
        if (!given.every(isUsable))
          deps.report('Failed to identify', new Error('expected ids other than "", "0" and "-1"'));
      }),
      map(({ given, done }) =>
        concat(
          ingest(given, 'Failed to identify'),
          defer(() => {
            waiting.delete(done);
            done(deps.userId());
            return of(state);
          }),
        ),
      ),
    );
    // In a later task, so that the page's queued identities come first.
    const found$ = timer(0).pipe(
      mergeMap(() => deps.lookUp(state.byTag)),
      map((found) =>
        concat(
          defer(() => ingest(thirdPartyIdentities(found, state.byTag), 'Could not ingest identities')),
          defer(() => {
            state = { ...state, ready: true };
            return of(state);
          }),
        ),
      ),
    );
    return merge(called$, found$).pipe(
      // concatAll: each set is compared with the identities that result from the set before it.
      concatAll(),
      startWith(state),
      finalize(() => waiting.forEach((done) => done(null))),
    );
  });

const readIdentities = (deps: IdentitiesDeps): Identities =>
  decodeIdentities(readNote('identities', deps), (cause) => deps.report('Error fetching data from store', cause));
