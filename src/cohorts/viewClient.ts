import { map } from 'rxjs';

import type { CohortService } from './service';

/** Gives the engine the client context of each view, in place of the one that the engine has begun with. */
export const viewClient: CohortService = ({ viewed$, context }) =>
  viewed$.pipe(map(() => ({ type: 'data', patch: { client: context().client } })));
