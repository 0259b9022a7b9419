import { canon } from '../src/engine/language/canonical';
import { checksumOf } from '../src/engine/language/checksums';
import type { Definition, Expr, Pred } from '../src/engine/language/language';

/** The lists of an event in which rules look for words. */
export type Field = 'keywords' | 'section' | 'title' | 'taxonomy' | 'label' | 'url' | 'lineItem' | 'host';

/** So many different operands have to be met; a label with a score. */
export interface Test {
  readonly field: Field;
  readonly operands: readonly string[];
  readonly min: number;
  readonly score?: number;
}

/** Counts events, sums engaged seconds or counts engaged views. The tests are joined by or; none means every event. */
export interface EventRule {
  readonly id: string;
  readonly kind: 'count' | 'sum' | 'views';
  readonly event: string;
  readonly tests: readonly Test[];
  readonly low: number;
  readonly high: number;
  readonly windowMs: number;
}

export interface EnteredRule {
  readonly id: string;
  readonly kind: 'entered';
  readonly of: string;
  readonly low: number;
  readonly windowMs: number;
}

export interface CombinationRule {
  readonly id: string;
  readonly kind: 'combination';
  readonly any: readonly string[];
  readonly min: number;
  readonly not: readonly string[];
}

/** A cohort in the few shapes that the bench knows. The definitions and the hand-made engine are both made from it. */
export type Rule = EventRule | EnteredRule | CombinationRule;

export const paths: Readonly<Record<Field, string>> = {
  keywords: 'article.keywords',
  section: 'article.section',
  title: 'article.title',
  taxonomy: 'classifications.taxonomy_labels',
  label: 'classifications.categories',
  url: 'client.url',
  lineItem: 'line_item_id',
  host: 'dest_url',
};
const operators = {
  keywords: 'in',
  section: 'in',
  title: 'words',
  taxonomy: 'under',
  url: 'urlPath',
  lineItem: 'in',
  host: 'domain',
} as const;

/** A view counts as engaged from so many seconds. */
export const engagedViewSeconds = 30;

const leafOf = ({ field, operands, min, score = 0 }: Test): Pred => {
  const p = paths[field];
  if (field === 'label')
    return {
      p,
      any: {
        and: [
          { p: 'label', in: operands },
          { p: 'score', gte: score },
        ],
      },
    };
  return { p, [operators[field]]: operands, ...(min > 1 && { min }) };
};

/** What an event has to meet, or undefined where any will do. */
export const whereOf = ({ kind, tests }: EventRule): Pred | undefined => {
  const leaves = tests.map(leafOf);
  const [first] = leaves;
  if (first === undefined) return undefined;
  const content: Pred = leaves.length === 1 ? first : { or: leaves };
  return kind === 'views' ? { and: [content, { p: 'total_engaged_time', gte: engagedViewSeconds }] } : content;
};

const conditionOf = (rule: Rule): Expr => {
  if (rule.kind === 'entered') return { entered: rule.of, is: { gte: rule.low }, within: rule.windowMs };
  if (rule.kind === 'combination') {
    const { any, min, not } = rule;
    return { and: [{ match: any.map((cohort) => ({ cohort })), min }, ...not.map((cohort) => ({ not: { cohort } }))] };
  }
  const { kind, event, low, high, windowMs } = rule;
  const where = whereOf(rule);
  const is = high === Infinity ? { gte: low } : { between: [low, high] as const };
  return {
    event,
    ...(where && { where }),
    ...(kind === 'sum' && { sum: 'engaged_time' }),
    ...(kind === 'views' && { distinct: '$view_id' }),
    is,
    within: windowMs,
  };
};

/** As a publisher's build ships it: canonical, with its checksum. */
export const definitionOf = (rule: Rule): Definition => {
  const meaning = canon({ id: rule.id, q: conditionOf(rule) });
  return { id: rule.id, q: meaning.q, canonical: true, checksum: checksumOf(meaning) };
};
