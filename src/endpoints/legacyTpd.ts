import * as t from 'io-ts';

import { ThirdPartyAnswer } from './audienceMatching';
import type { Endpoint } from './endpoint';
import { bodyOfType, readerOfType } from './ioTs';

/** The visitor whose segments are asked for. */
export const LegacyTpdRequest = t.strict({ user_id: t.string }, 'LegacyTpdRequest');
export type LegacyTpdRequest = Readonly<t.TypeOf<typeof LegacyTpdRequest>>;

/**
 * POST /v2.0/tpd : the visitor's third-party segments, asked for where audience matching has failed (spec S§7, S§8).
 */
export const legacyTpd: Endpoint<LegacyTpdRequest, ThirdPartyAnswer> = {
  method: 'POST',
  version: 'apiVersion',
  path: 'tpd',
  body: bodyOfType(LegacyTpdRequest),
  responseType: 'json',
  answer: readerOfType(ThirdPartyAnswer),
};
