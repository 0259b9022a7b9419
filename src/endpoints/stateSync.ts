import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/**
 * What one source of the visitor's state tells the server. `group_id` is the visitor, `event_source_id` the browser.
 * `state` is the JSON text of a delta or of the whole state. `last_seen_offset` says how far this source has read what
 * others have told.
 */
export const StateSyncRequest = t.strict(
  { group_id: t.string, event_source_id: t.string, state: t.string, last_seen_offset: t.number },
  'StateSyncRequest',
);

/**
 * `state` is the JSON text of what other sources have told since `last_seen_offset`. The next request sends
 * `state_offset` as its `last_seen_offset`.
 */
export const StateSyncAnswer = t.type({ state: t.string, state_offset: t.number }, 'StateSyncAnswer');

/**
 * POST /v1.0/state?fetch_unseen= : the query says whether the answer is to have the states of other sources (spec S§4,
 * S§7).
 */
export const stateSync = endpointOf({
  method: 'POST',
  path: '/v1.0/state',
  body: StateSyncRequest,
  answer: StateSyncAnswer,
});
