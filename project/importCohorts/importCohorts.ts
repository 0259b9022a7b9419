import { type Either, left, right } from 'fp-ts/Either';

import { readAs } from '../../src/codecs/codecs';
import type { Cmp, Definition, Duration, Expr, Pred, Window } from '../../src/engine/language/language';
import { DefinitionCodec } from '../../src/engine/language/languageCodec';
import { ImportError, Place } from './importPlace';
import { eventPred } from './importWhere';

export { ImportError } from './importPlace';

export interface ImportedCohort {
  readonly definition: Definition;
  /** Places where the cohort may have been meant otherwise than it was read, each with an explanation. */
  readonly warnings: readonly string[];
}

export interface ImportOptions {
  /** Compare text with its case, for a source that is known to do so. */
  readonly exactCase?: boolean;
}

/** Translates a cohort of the published format (`code`, `name`, `query`, `tags`), or says why and where it cannot. */
export const importCohort = (
  json: unknown,
  { exactCase = false }: ImportOptions = {},
): Either<ImportError, ImportedCohort> => {
  const warnings: string[] = [];
  try {
    const definition = definitionOf(new Place(json, { exactCase, warnings }));
    const checked = readAs(DefinitionCodec, definition);
    return checked instanceof Error
      ? left(new ImportError('query', `not within the limits of the language (${checked.message})`))
      : right({ definition, warnings });
  } catch (error) {
    if (error instanceof ImportError) return left(error);
    throw error;
  }
};

const definitionOf = (cohort: Place): Definition => {
  // Cohorts name each other, and events name cohorts, by the code; the id is internal to the API.
  const id = cohort.at(cohort.has('code') ? 'code' : 'id').id();
  return {
    id,
    q: exprOf(cohort.at('query')),
    ...(cohort.has('name') && { name: cohort.at('name').text() }),
    ...(cohort.has('tags') && { tags: tagsOf(cohort.at('tags')) }),
  };
};

const tagsOf = (tags: Place): readonly string[] =>
  Array.isArray(tags.value) && tags.value.length === 0 ? [] : tags.items().map((tag) => tag.text());

const exprOf = (place: Place): Expr => {
  const kind = kinds.find(([key]) => place.has(key));
  if (kind === undefined) return place.fail(`expected one of ${kinds.map(([key]) => key).join(', ')}`);
  const [key, read, ...beside] = kind;
  return read(place.only(key, ...beside).at(key), place);
};

/** Reads a clause from the value under its key; `clause` is the object that has this key. */
type Read = (inner: Place, clause: Place) => Expr;

const unsupported: Read = (inner) => inner.fail('not supported');
const engagement = 'PageviewEngagement';
const never: Cmp = { eq: 0 };
const once: Cmp = { gte: 1 };

const kinds: readonly (readonly [key: string, read: Read, ...beside: readonly string[]])[] = [
  ['and', (inner) => ({ and: inner.items().map(exprOf) })],
  ['or', (inner) => ({ or: inner.items().map(exprOf) })],
  [
    'event',
    (inner, clause) => ({ event: inner.text(), ...frequencyOf(clause), ...windowOf(clause), ...whereOf(clause) }),
    'frequency',
    'during',
    'where',
  ],
  ['engaged_time', (inner) => timeOf(inner.only('seconds', 'where', 'during'))],
  ['engaged_completion', (inner) => completionOf(inner.only('completion', 'where'))],
  ['engaged_views', (inner) => viewsOf(inner.only('engaged_time', 'times', 'where', 'during'))],
  ['in_segment', (inner) => ({ cohort: inner.id() })],
  ['not_in_segment', (inner) => ({ not: { cohort: inner.id() } })],
  ['has_entered', (inner) => ({ entered: segmentOf(inner), is: once, ...durationOf(inner) })],
  ['has_not_entered', (inner) => ({ entered: segmentOf(inner), is: never, ...durationOf(inner) })],
  ['has_exited', (inner) => ({ exited: segmentOf(inner), is: once, ...durationOf(inner) })],
  ['has_not_exited', (inner) => ({ exited: segmentOf(inner), is: never, ...durationOf(inner) })],
  ['in_second_party_segment', (inner) => ({ secondParty: providedBy(inner) })],
  ['not_in_second_party_segment', (inner) => ({ not: { secondParty: providedBy(inner) } })],
  ['in_third_party_segment', (inner) => ({ thirdParty: providedBy(inner) })],
  ['not_in_third_party_segment', (inner) => ({ not: { thirdParty: providedBy(inner) } })],
  ['in_connections_import_segment', unsupported],
  ['not_in_connections_import_segment', unsupported],
];

const segmentOf = (inner: Place): string => inner.only('segment', 'during').at('segment').id();

const providedBy = (inner: Place): { readonly provider: string; readonly in: readonly string[] } => {
  const segment = inner.only('provider', 'segment').at('segment').id();
  return inner.has('provider')
    ? { provider: inner.at('provider').text(), in: [segment] }
    : inner.fail('a segment of no provider is not supported');
};

const timeOf = (inner: Place): Expr => ({
  event: engagement,
  sum: 'engaged_time',
  is: cmpOf(inner.at('seconds')),
  ...windowOf(inner),
  ...whereOf(inner),
});

/**
 * How far the current page has been read. Each engagement event has the completion so far, which only grows: an
 * upper limit is kept as long as no event has passed it.
 */
const completionOf = (inner: Place): Expr => {
  const seen = (...tests: readonly Pred[]): Expr => ({ event: engagement, within: 'view', ...whereOf(inner, tests) });
  const place = inner.at('completion');
  const [name, n] = comparisonOf(place);
  const p = 'total_completion';
  const [reached, passed] = [seen({ p, gte: n }), seen({ p, gt: n })];
  switch (name) {
    case 'greater_than_or_equal_to':
      return reached;
    case 'greater_than':
      return passed;
    case 'less_than':
      return { and: [seen(), { not: reached }] };
    case 'less_than_or_equal_to':
      return { and: [seen(), { not: passed }] };
    default:
      return { and: [reached, { not: passed }] };
  }
};

/** Views that were engaged with for long enough. The time of a view grows, so that every view was short at first. */
const viewsOf = (inner: Place): Expr => {
  const [name, n] = comparisonOf(inner.at('engaged_time'));
  if (!name.startsWith('greater_than'))
    return inner.at('engaged_time').fail('views with little engagement are not supported');
  const p = 'total_engaged_time';
  const test: Pred = name === 'greater_than' ? { p, gt: n } : { p, gte: n };
  return {
    event: engagement,
    distinct: '$view_id',
    is: cmpOf(inner.at('times')),
    ...durationOf(inner),
    ...whereOf(inner, [test]),
  };
};

const comparisons = new Map<string, (n: number) => Cmp>([
  ['greater_than_or_equal_to', (gte) => ({ gte })],
  ['greater_than', (gt) => ({ gt })],
  ['less_than_or_equal_to', (lte) => ({ lte })],
  ['less_than', (lt) => ({ lt })],
  ['equal_to', (eq) => ({ eq })],
]);

const comparisonOf = (place: Place): readonly [name: string, n: number] => {
  const [name, operand] = place.single('a comparison');
  return comparisons.has(name) ? [name, operand.number()] : operand.fail('this comparison is not supported');
};

const cmpOf = (place: Place): Cmp => {
  const [name, n] = comparisonOf(place);
  return comparisons.get(name)?.(n) ?? place.fail('not supported');
};

const frequencyOf = (clause: Place): { readonly is?: Cmp } =>
  clause.has('frequency') ? { is: cmpOf(clause.at('frequency')) } : {};

const whereOf = (clause: Place, tests: readonly Pred[] = []): { readonly where?: Pred } => {
  const preds = [...(clause.has('where') ? [eventPred(clause.at('where'))] : []), ...tests];
  const [first] = preds;
  return first === undefined ? {} : { where: preds.length === 1 ? first : { and: preds } };
};

const units = new Map<string, readonly [days: number, toDuration: (n: number) => Duration]>([
  ['minute', [1 / 1440, (minutes) => ({ minutes })]],
  ['hour', [1 / 24, (hours) => ({ hours })]],
  ['day', [1, (days) => ({ days })]],
  ['week', [7, (weeks) => ({ weeks })]],
  ['month', [30, (months) => ({ days: 30 * months })]],
]);
const longestDays = 400;

const windowOf = (clause: Place): { readonly within?: Window } =>
  clause.at('during').value === 'this_session' ? { within: 'session' } : durationOf(clause);

const durationOf = (clause: Place): { readonly within?: Duration } => {
  if (!clause.has('during')) return {};
  const during = clause.at('during');
  if (typeof during.value === 'string') return during.fail(`${during.value} is not supported here`);
  const last = during.only('the_last').at('the_last').only('value', 'unit');
  const name = last.at('unit').text();
  const unit = units.get(name.replace(/s$/, ''));
  const n = last.at('value').number();
  if (unit === undefined) return last.at('unit').fail(`the unit ${name} is not supported`);
  const [days, toDuration] = unit;
  if (!Number.isInteger(n) || n < 1) return last.at('value').fail('expected an integer from 1');
  if (n * days > longestDays) return last.fail(`longer than ${longestDays} days`);
  if (days === 30) last.warn('a month is read as 30 days');
  return { within: toDuration(n) };
};
