import * as t from 'io-ts';

import { endpointOf } from './ioTs';

const MatchedIdentity = t.strict({ tag: t.string, id: t.string }, 'MatchedIdentity');

/** The visitor's identities that third-party providers may be asked with. */
export const AudienceMatchingRequest = t.strict(
  { identities: t.readonlyArray(MatchedIdentity) },
  'AudienceMatchingRequest',
);
export type AudienceMatchingRequest = Readonly<t.TypeOf<typeof AudienceMatchingRequest>>;

const MatchedSegments = t.type({ provider: t.string, segments: t.readonlyArray(t.string) }, 'ProviderSegments');

/** The visitor's segments at each third-party provider. */
export const ThirdPartyAnswer = t.type({ items: t.readonlyArray(MatchedSegments) }, 'ThirdPartyAnswer');
export type ThirdPartyAnswer = Readonly<t.TypeOf<typeof ThirdPartyAnswer>>;

/** POST /audience-matching/v1/id/{user_id} : the visitor's third-party segments (spec S§7). */
export const audienceMatching = endpointOf({
  method: 'POST',
  path: '/audience-matching/v1/id/:user_id',
  body: AudienceMatchingRequest,
  answer: ThirdPartyAnswer,
});
