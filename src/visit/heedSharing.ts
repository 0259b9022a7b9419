import { merge, type Observable, of, switchMap } from 'rxjs';

import type { AddonStreams, CommonDeps } from '../addons/addon';
import { heldForPartners } from '../cohorts/heldForPartners';
import type { EventDraft } from '../model/event';
import type { IdentityState } from '../model/identity';

/** The identities of a visitor who objects to sharing. */
const noIdentities: IdentityState = { byTag: new Map(), ready: true };

/**
 * Starts addons with streams and deps that heed an objection to sharing: keys of partners are held and cleared, and the
 * visitor has no identities. Only addons of the deferred chunk hand such data to others.
 */
export const heedSharing = <AddonWorld>(
  start: (world: AddonWorld, streams: AddonStreams, common: CommonDeps) => readonly Observable<EventDraft>[],
  world: AddonWorld,
  streams: AddonStreams,
  common: CommonDeps,
): Observable<EventDraft> => {
  const { sharing$, identities$ } = streams;
  const { write, remove, clearing$ } = heldForPartners({ write: common.writeKey, remove: common.forget }, sharing$);
  const known$ = sharing$.pipe(switchMap((mayShare) => (mayShare ? identities$ : of(noIdentities))));
  return merge(
    // First, so that what addons write at once is written where it is allowed.
    clearing$,
    ...start(world, { ...streams, identities$: known$ }, { ...common, writeKey: write, forget: remove }),
  );
};
