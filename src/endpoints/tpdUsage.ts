import * as t from 'io-ts';

import type { Endpoint } from './endpoint';
import { bodyOfType, readerOfType } from './ioTs';

/**
 * `tpd_segments` are the third-party segments that made the visitor a member of a cohort, by provider. `time` is ISO
 * 8601.
 */
export const TpdUsageRequest = t.strict(
  { user_id: t.string, time: t.string, tpd_segments: t.record(t.string, t.readonlyArray(t.string)) },
  'TpdUsageRequest',
);
export type TpdUsageRequest = Readonly<t.TypeOf<typeof TpdUsageRequest>>;

/** POST /v2.0/tpd/usage : the answer is ignored (spec S§7). */
export const tpdUsage: Endpoint<TpdUsageRequest, unknown> = {
  method: 'POST',
  version: 'apiVersion',
  path: 'tpd/usage',
  body: bodyOfType(TpdUsageRequest),
  responseType: 'text',
  answer: readerOfType(t.unknown),
};
