import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/** The cohorts that the visitor is in, of those that AMP pages may use. */
const AmpCohortsRequest = t.strict({ cohorts: t.readonlyArray(t.string) }, 'AmpCohortsRequest');

/** POST /alpha/amp/cohorts?i={user_id} : cohorts for the visitor's AMP pages, the answer is ignored (spec S§7). */
export const ampCohorts = endpointOf({
  method: 'POST',
  path: '/alpha/amp/cohorts',
  body: AmpCohortsRequest,
  responseType: 'text',
  answer: t.unknown,
});
