import * as t from 'io-ts';

import { ownEntry } from '../hardening/ownFields';

/** One test of the client context: the field `key` compared with `value`. */
interface Criterion {
  readonly key: string;
  readonly comparison: 'EQUALS' | 'NOT_EQUALS' | 'CONTAINS' | 'NOT_CONTAINS';
  readonly value: string | number | boolean;
}
const CriterionCodec = t.strict(
  {
    key: t.string,
    comparison: t.keyof({ EQUALS: null, NOT_EQUALS: null, CONTAINS: null, NOT_CONTAINS: null }),
    value: t.union([t.string, t.number, t.boolean]),
  },
  'Criterion',
);

/**
 * On which pages an activation applies: tests of the client context, of which all (AND) or any (OR) must hold (spec
 * S§3).
 */
export interface ContextCriteria {
  readonly operator: 'AND' | 'OR';
  readonly criteria: readonly Criterion[];
}
export const ContextCriteriaCodec = t.strict(
  { operator: t.keyof({ AND: null, OR: null }), criteria: t.array(CriterionCodec) },
  'ContextCriteria',
);

/** What criteria are checked against: the client context with path and view id, by name (spec C§3). */
export type CriteriaContext = Readonly<Record<string, unknown>>;

/**
 * Whether the criteria hold in this context. Without criteria an activation applies everywhere. CONTAINS and
 * NOT_CONTAINS hold for text only, so both fail for a field that is missing (spec S§5).
 */
export const meets = ({ operator, criteria }: ContextCriteria, context: CriteriaContext): boolean => {
  const holds = ({ key, comparison, value }: Criterion): boolean => {
    const found = ownEntry(context, key);
    if (comparison === 'EQUALS' || comparison === 'NOT_EQUALS') return (found === value) === (comparison === 'EQUALS');
    return (
      typeof found === 'string' && typeof value === 'string' && found.includes(value) === (comparison === 'CONTAINS')
    );
  };
  return criteria.length === 0 || (operator === 'AND' ? criteria.every(holds) : criteria.some(holds));
};
