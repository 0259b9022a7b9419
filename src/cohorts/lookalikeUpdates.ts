import { map } from 'rxjs';

import type { CohortService } from './service';

/** Tracks the event by which queries hear that the lookalike models have changed (spec S§3). */
export const lookalikeUpdates: CohortService = ({ models$ }) =>
  models$.pipe(map(() => ({ type: 'draft', draft: { name: 'UpdateLookalikeModels', edgeOnly: true } })));
