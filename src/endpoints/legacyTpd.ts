import * as t from 'io-ts';

import { ThirdPartyAnswer } from './audienceMatching';
import { endpointOf } from './ioTs';

/** The visitor whose segments are asked for. */
const LegacyTpdRequest = t.strict({ user_id: t.string }, 'LegacyTpdRequest');

/**
 * POST /v2.0/tpd : the visitor's third-party segments, asked for where audience matching has failed (spec S§7, S§8).
 */
export const legacyTpd = endpointOf({
  method: 'POST',
  path: '/{apiVersion}/tpd',
  body: LegacyTpdRequest,
  answer: ThirdPartyAnswer,
});
