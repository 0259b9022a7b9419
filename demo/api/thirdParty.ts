import { audienceMatching, type ThirdPartyAnswer } from '../../src/endpoints/audienceMatching';
import { legacyTpd } from '../../src/endpoints/legacyTpd';
import type { ApiProject } from './apiProject';
import { hashOf } from './hash';
import { type Route, served } from './served';

/** Each provider knows about half of the identities, by a few of the segments that the project's queries ask it for. */
export const thirdPartyRoutes = ({ tpdProviders = [], queries = [] }: ApiProject): readonly Route[] => {
  const asked = segmentsAsked(queries);
  const segmentsOf = (provider: string, identity: string): readonly string[] => {
    if (hashOf(`${provider} ${identity}`) % 2 === 0) return [];
    const known = [...(asked.get(provider) ?? ['1001', '1002', '1003', '1004'])];
    return known.filter((segment) => hashOf(`${provider} ${identity} ${segment}`) % 2 === 0);
  };
  const answer = (identities: readonly string[]): ThirdPartyAnswer => ({
    items: tpdProviders
      .map((provider) => ({
        provider,
        segments: [...new Set(identities.flatMap((identity) => segmentsOf(provider, identity)))],
      }))
      .filter(({ segments }) => segments.length > 0),
  });

  return [
    served(audienceMatching, ({ params, body: { identities } }) =>
      answer([`user ${params['user_id'] ?? ''}`, ...identities.map(({ tag, id }) => `${tag} ${id}`)]),
    ),
    served(legacyTpd, ({ body: { user_id } }) => answer([`user ${user_id}`])),
  ];
};

/** Which segments of which provider stand in the queries, wherever they stand. */
export const segmentsAsked = (
  queries: unknown,
  found = new Map<string, Set<string>>(),
): ReadonlyMap<string, ReadonlySet<string>> => {
  if (typeof queries !== 'object' || queries === null) return found;
  for (const [key, value] of Object.entries(queries as Record<string, unknown>)) {
    if (key === 'thirdParty') addTest(value as ThirdPartyTest, found);
    else segmentsAsked(value, found);
  }
  return found;
};

interface ThirdPartyTest {
  readonly provider?: string;
  readonly in?: readonly (string | number)[];
  readonly hashed?: boolean;
}

// Hashed segments are of no use here: nobody can say what they were.
const addTest = (
  { provider = '', in: segments = [], hashed = false }: ThirdPartyTest,
  found: Map<string, Set<string>>,
): void => {
  if (!hashed) found.set(provider, new Set([...(found.get(provider) ?? []), ...segments.map(String)]));
};
