import {
  concat,
  concatAll,
  defaultIfEmpty,
  defer,
  delay,
  EMPTY,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  startWith,
  tap,
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
  withIdentities,
} from '../../model/identity';
import { readNote, writeNote } from '../../model/notes';
import { isolate } from '../../operators/isolate';
import type { Tools } from '../../platform/platform';
import { isUserId } from '../../primitives/uuid';

type IdentitiesDeps = CallDeps & Pick<Tools, 'local' | 'now' | 'report'>;

/** The visitor whose identities these are. */
export interface IdentifiedVisitor {
  /** The visitor's id at this moment. */
  readonly userId: () => string;
  /** Called when the server knows the visitor by another id, with that id. */
  readonly adopt: (userId: string) => void;
  /** Emits when the page's queue is about to be replayed. */
  readonly begun$: Observable<unknown>;
  /**
   * Asks third parties what they know the visitor by. Emits once, a function that gives the answers their priorities
   * after the identities that are known by then, and completes; nothing where nobody is to be asked.
   */
  readonly lookUp: (known: Identities) => Observable<(known: Identities) => readonly GivenIdentity[]>;
}

/**
 * State: the visitor's identities, first as stored, then after each call and each lookup (spec C§4, C§5). The server is
 * told only of sets with something new, and the state changes only once it has accepted them; after a failed request it
 * stays as it was. `ready` becomes true once third parties were asked. Calls run one after another, so that each is
 * compared with the result of the one before. Each caller is told the visitor's id when its call is through.
 */
export const identities = (
  call$: Observable<IdentifyCall>,
  { userId, adopt, begun$, lookUp }: IdentifiedVisitor,
  deps: IdentitiesDeps,
): Observable<IdentityState> =>
  defer(() => {
    let state: IdentityState = { ready: false, byTag: readIdentities(deps) };
    const ingest = (given: readonly GivenIdentity[], message: string): Observable<never> =>
      defer(() => {
        const now = deps.now();
        const aliases = distinctIdentities(given, now);
        if (aliases.every((identity) => isKnown(identity, state.byTag, now))) return EMPTY;
        return call(identify, { body: { user_id: userId(), aliases } }, deps).pipe(
          tap(({ user_id }) => {
            // The answer is checked before anything changes, because an adopted id is stored and sent with all later
            // events.
            if (!isUserId(user_id)) throw new Error('user_id: expected UUID version 4');
            const isOther = user_id !== userId();
            if (isOther) adopt(user_id);
            // Of another user, only what the server was just told is known.
            state = { ...state, byTag: withIdentities(isOther ? new Map() : state.byTag, aliases, now) };
            writeNote('identities', encodeIdentities(state.byTag, now), deps);
          }),
        );
      }).pipe(isolate(message, deps.report), ignoreElements());

    const called$ = call$.pipe(
      tap(({ given }) => {
        if (!given.every(isUsable)) deps.report('Failed to identify', new Error(unusable));
      }),
      map(({ given, done }) =>
        concat(
          ingest(given, 'Failed to identify'),
          defer(() => {
            done(userId());
            return of(state);
          }),
        ),
      ),
    );
    // The lookup begins in a later task, so that the identities that the page has queued come first.
    const found$ = begun$.pipe(
      delay(0),
      // On Safari nobody is asked, and the lookup is empty.
      mergeMap(() => lookUp(state.byTag).pipe(defaultIfEmpty(nothingFound))),
      map((found) =>
        concat(
          defer(() => ingest(found(state.byTag), 'Could not ingest identities')),
          defer(() => {
            state = { ...state, ready: true };
            return of(state);
          }),
        ),
      ),
    );
    return merge(called$, found$).pipe(
      // concatAll: one set at a time, in order.
      concatAll(),
      startWith(state),
    );
  });

/** What is wrong with an id that nobody can be known by. */
const unusable = 'expected ids other than "", "0" and "-1", of 4096 characters at most';

const nothingFound = (): readonly GivenIdentity[] => [];

/** The stored identities. An identity that does not decode is reported and left out. */
const readIdentities = (deps: IdentitiesDeps): Identities =>
  decodeIdentities(readNote('identities', deps), (cause) => deps.report('Error fetching data from store', cause));
