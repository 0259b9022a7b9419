import type { EngineEvent } from '../engine/engineEvent';
import { explainQuery } from '../engine/evaluate/explain';
import type { Machine } from '../engine/evaluate/machine';
import type { Query } from '../engine/evaluate/query';
import type { Explained } from '../model/engineMessages';
import { explainClauses } from './explainClauses';
import { explainWords } from './explainWords';

/** Why the query holds or does not, in words and in parts. `events`: those of the visitor that are known. */
export const explanationOf = (
  query: Query,
  machine: Machine,
  events: readonly EngineEvent[],
): Pick<Explained, 'text' | 'explanation'> => {
  const explanation = explainQuery(query, machine, events);
  return { text: explainWords(explanation), explanation: explainClauses(explanation) };
};
