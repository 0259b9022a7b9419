import * as t from 'io-ts';

import type { Endpoint } from './endpoint';
import { bodyOfType, readerOfType } from './ioTs';

/** The cohorts that the visitor is in, of those that AMP pages may use. */
export const AmpCohortsRequest = t.strict({ cohorts: t.readonlyArray(t.string) }, 'AmpCohortsRequest');
export type AmpCohortsRequest = Readonly<t.TypeOf<typeof AmpCohortsRequest>>;

/** POST /alpha/amp/cohorts?i={user_id} : cohorts for the visitor's AMP pages, the answer is ignored (spec S§7). */
export const ampCohorts: Endpoint<AmpCohortsRequest, unknown> = {
  method: 'POST',
  version: 'alpha',
  path: 'amp/cohorts',
  body: bodyOfType(AmpCohortsRequest),
  responseType: 'text',
  answer: readerOfType(t.unknown),
};
