import { distinctUntilChanged, EMPTY, map, switchMap } from 'rxjs';

import { storableIdentities } from '../model/identity';
import { dataOutput, engines } from './lookups';
import type { CohortService } from './service';

/**
 * What queries look up of the visitor under `user`: id, whether this browser has just met them, and the identities that
 * may be stored, with their tags as a list.
 */
export const userData: CohortService = (streams, { project: { lookups = [] }, json, now }) =>
  lookups.includes('user')
    ? engines(streams).pipe(
        switchMap(() =>
          streams.identities$.pipe(
            map(({ byTag }) => {
              const identities = storableIdentities(byTag, now()).map(({ tag, id }) => [tag, id] as const);
              return {
                user_id: streams.context().user_id,
                is_new: streams.isNew,
                tags: identities.map(([tag]) => tag),
                identities: Object.fromEntries(identities),
              };
            }),
            distinctUntilChanged((a, b) => json.stringify(a) === json.stringify(b)),
          ),
        ),
        map((user) => dataOutput({ user })),
      )
    : EMPTY;
