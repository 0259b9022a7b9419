import { map, type Observable } from 'rxjs';

import type { readIdentifyCalls } from '../api/customerIdentities';
import { ownFields } from '../hardening/ownFields';
import type { Identities, IdentityState, UnreadIdentifyCall } from '../model/identity';
import type { ServiceDefinition } from '../model/project';
import { type IdentifiedVisitor, identities } from '../streams/visitor/identities';
import type { LookedUpVisitor, lookUpIdentities, ProvidersDeps } from '../streams/visitor/identityProviders';
import { thirdPartyIdentities } from '../streams/visitor/thirdPartyIdentities';

/** The visitor whose identities are learnt, and what they allow third parties. */
type VisitorOfVisit = Pick<IdentifiedVisitor, 'userId' | 'adopt' | 'begun$'> &
  Pick<LookedUpVisitor, 'tcf$' | 'sharing$'>;

/** Other parts of the chunk, as the visit was given them: the inspector notes what goes through them. */
interface IdentityParts {
  readonly readIdentifyCalls: typeof readIdentifyCalls;
  readonly lookUpIdentities: typeof lookUpIdentities;
  readonly definition: ServiceDefinition;
}

/** State: the visitor's identities, as the page's calls and third parties tell them. */
export const visitorIdentities = (
  call$: Observable<UnreadIdentifyCall>,
  { tcf$, sharing$, ...visitor }: VisitorOfVisit,
  parts: IdentityParts,
  deps: ProvidersDeps,
): Observable<IdentityState> => {
  const { definition } = parts;
  const providers = Object.keys(ownFields(definition).identityProviders ?? {});
  const lookUp: IdentifiedVisitor['lookUp'] = (known) =>
    parts
      .lookUpIdentities({ known, userId: visitor.userId, tcf$, sharing$ }, definition, deps)
      .pipe(map((found) => (knownByThen: Identities) => thirdPartyIdentities(found, knownByThen, providers)));
  return identities(parts.readIdentifyCalls(call$, definition, deps.report), { ...visitor, lookUp }, deps);
};
