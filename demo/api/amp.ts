import { ampCohorts } from '../../src/endpoints/ampCohorts';
import { boundedMap, keptLimits } from './boundedMap';
import { type Route, served } from './served';

/** What AMP pages of a visitor may use: pages on which no SDK runs. */
export interface AmpCohorts {
  readonly routes: readonly Route[];
  /** The cohorts that the visitor's other pages have posted last; none for an unknown visitor. */
  readonly of: (userId: string) => readonly string[];
  readonly clear: () => void;
}

/** Keeps the last list of each visitor, of as many visitors as there is room for. */
export const ampCohortsOfVisitors = (): AmpCohorts => {
  const lists = boundedMap<string, readonly string[]>(keptLimits);
  return {
    routes: [
      served(ampCohorts, ({ query, body: { cohorts } }) => {
        const userId = query.get('i') ?? '';
        lists.set(userId, cohorts, JSON.stringify([userId, cohorts]).length);
      }),
    ],
    of: (userId) => lists.get(userId) ?? [],
    clear: lists.clear,
  };
};
