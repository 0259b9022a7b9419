import * as t from 'io-ts';

import type { Endpoint } from './endpoint';

/** `state` is the JSON text of what this source has to tell: a delta, or everything. */
export const StateSyncRequest = t.strict(
  { group_id: t.string, event_source_id: t.string, state: t.string, last_seen_offset: t.number },
  'StateSyncRequest',
);
export type StateSyncRequest = Readonly<t.TypeOf<typeof StateSyncRequest>>;

/** `state` is the JSON text of what other sources have told since `last_seen_offset`. */
export const StateSyncAnswer = t.type({ state: t.string, state_offset: t.number }, 'StateSyncAnswer');
export type StateSyncAnswer = Readonly<t.TypeOf<typeof StateSyncAnswer>>;

/** POST /v1.0/state?fetch_unseen= (spec S§7). */
export const stateSync: Endpoint<StateSyncRequest, StateSyncAnswer> = {
  method: 'POST',
  version: 'v1.0',
  path: 'state',
  body: StateSyncRequest,
  responseType: 'json',
  answer: StateSyncAnswer,
};
