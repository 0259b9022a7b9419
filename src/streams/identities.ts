import { concat, concatAll, defer, EMPTY, finalize, ignoreElements, map, merge, mergeMap, type Observable, of, startWith, tap, timer } from 'rxjs';
import { call, type CallDeps } from '../endpoints/call';
import { identify } from '../endpoints/identify';
import { decodeIdentities, distinctIdentities, encodeIdentities, type GivenIdentity, type Identities, type IdentityState, isKnown, isUsable, thirdPartyIdentities, withIdentities } from '../model/identity';
import type { Report } from '../model/report';
import { UserId } from '../model/uuid';
import { isolate } from '../operators/isolate';
import type { TextStorage } from '../platform/platform';
import { readMisc, writeMisc } from '../model/miscChunk';
import type { IdentifyCall } from './publicCalls';

export interface IdentitiesDeps extends CallDeps {
  readonly local: TextStorage;
  readonly now: () => number;
  readonly report: Report;
  readonly userId: () => string;
  /** The server knows the visitor by another id. */
  readonly adopt: (userId: string) => void;
  /** Finds what third parties know the visitor by. Emits one list. */
  readonly lookUp: (known: Identities) => Observable<readonly (readonly [tag: string, id: string])[]>;
}

/**
 * State: the visitor's identities, as stored, then after each that the page or a third party has given and the server has taken.
 * A set that is known already asks nobody; one that fails counts as unchanged. `ready` once third parties have had their say
 * (spec C§4).
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
            writeMisc('identities', encodeIdentities(state.byTag, now), deps);
            if (user_id !== deps.userId()) deps.adopt(user_id);
          }),
        );
      }).pipe(isolate(message, deps.report), ignoreElements());

    const called$ = call$.pipe(
      tap(({ given, done }) => {
        waiting.add(done);
        if (!given.every(isUsable)) deps.report('Failed to identify', new Error('expected ids other than "", "0" and "-1"'));
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
    // In a task of its own: what the page had queued comes first.
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
      // One after another: each is compared with what the one before has led to.
      concatAll(),
      startWith(state),
      finalize(() => waiting.forEach((done) => done(null))),
    );
  });

const readIdentities = (deps: IdentitiesDeps): Identities => decodeIdentities(readMisc('identities', deps), (cause) => deps.report('Error fetching data from store', cause));
