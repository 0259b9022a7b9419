import { ampCohorts } from '../../src/endpoints/ampCohorts';
import { type Route, served } from './served';

/** What AMP pages of a visitor may use: pages on which no SDK runs. */
export interface AmpCohorts {
  readonly routes: readonly Route[];
  /** The cohorts that the visitor's other pages have posted last; none for an unknown visitor. */
  readonly of: (userId: string) => readonly string[];
  readonly clear: () => void;
}

/** Keeps the last list of each visitor. */
export const ampCohortsOfVisitors = (): AmpCohorts => {
  const lists = new Map<string, readonly string[]>();
  return {
    routes: [served(ampCohorts, ({ query, body }) => void lists.set(query.get('i') ?? '', body.cohorts))],
    of: (userId) => lists.get(userId) ?? [],
    clear: () => lists.clear(),
  };
};
