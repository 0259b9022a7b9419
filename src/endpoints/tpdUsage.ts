import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/**
 * `tpd_segments` are the third-party segments that made the visitor a member of a cohort, by provider. `time` is ISO
 * 8601.
 */
const TpdUsageRequest = t.strict(
  { user_id: t.string, time: t.string, tpd_segments: t.record(t.string, t.readonlyArray(t.string)) },
  'TpdUsageRequest',
);

/** POST /v2.0/tpd/usage : the answer is ignored (spec S§7). */
export const tpdUsage = endpointOf({
  method: 'POST',
  path: '/{apiVersion}/tpd/usage',
  body: TpdUsageRequest,
  responseType: 'text',
  answer: t.unknown,
});
