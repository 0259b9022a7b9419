import type { Leaf, Pred } from '../../src/engine/language/language';
import { dayMs } from '../../src/primitives/duration';
import type { Place } from './importPlace';

/** Reads a property of the published format: of an event from its `properties`, of a list element from the element. */
type PathOf = (property: Place) => string;

/** The `where` of an event. */
export const eventPred = (place: Place): Pred => predOf(place, eventPath);

const predOf = (place: Place, pathOf: PathOf): Pred => {
  if (place.has('and'))
    return {
      and: place
        .only('and')
        .at('and')
        .items()
        .map((item) => predOf(item, pathOf)),
    };
  if (place.has('or'))
    return {
      or: place
        .only('or')
        .at('or')
        .items()
        .map((item) => predOf(item, pathOf)),
    };
  if (!place.has('property')) return place.fail('expected and, or, or a property with a condition');
  const p = pathOf(place.only('property', 'condition').at('property'));
  const condition = place.at('condition');
  if (typeof condition.value === 'string') return exists(p, condition, condition.value);
  return condition.has('function') ? functionOf(p, condition) : testOf(p, ...condition.single('a condition'));
};

const eventFields = new Map([
  ['time', '$time'],
  ['session_id', '$session_id'],
  ['view_id', '$view_id'],
]);

const eventPath: PathOf = (property) => {
  const name = property.text();
  if (name.startsWith('properties.')) return name.slice('properties.'.length);
  return eventFields.get(name) ?? property.fail('not a property of the event');
};

const elementPath: PathOf = (property) => property.text();

const exists = (p: string, condition: Place, name: string): Pred => {
  if (name !== 'is_empty' && name !== 'is_not_empty') return condition.fail(`the condition ${name} is not supported`);
  return { p, exists: name === 'is_not_empty' };
};

type Test = (p: string, operand: Place) => Pred;

const testOf = (p: string, name: string, operand: Place): Pred => {
  const test = Object.hasOwn(tests, name) ? tests[name] : undefined;
  return test === undefined ? operand.fail(`the condition ${name} is not supported`) : test(p, operand);
};

const folded = ({ reading }: Place): { readonly fold?: 'exact' } => (reading.exactCase ? { fold: 'exact' } : {});

const isIn: Test = (p, operand) => {
  if (typeof operand.value === 'boolean') return { p, is: operand.value };
  return { p, in: operand.oneOrMore().map((item) => item.scalar()), ...folded(operand) };
};
/** Requires that there is a value and that it differs. An absent value does not count as different. */
const isNotIn: Test = (p, operand) => {
  if (typeof operand.value === 'boolean') return { p, is: !operand.value };
  return { p, nin: operand.oneOrMore().map((item) => item.scalar()), ...folded(operand) };
};
const contains: Test = (p, operand): Leaf => ({
  p,
  contains: operand.oneOrMore().map((item) => item.text()),
  ...folded(operand),
});
const flagged =
  (name: string): Test =>
  (p, operand) => {
    if (typeof operand.value !== 'boolean') return operand.fail('expected true or false');
    return exists(p, operand, operand.value === (name === 'is_empty') ? 'is_empty' : 'is_not_empty');
  };
const between: Test = (p, operand) => {
  const [start, end] = Array.isArray(operand.value)
    ? operand.items()
    : [operand.only('start', 'end').at('start'), operand.at('end')];
  if (start === undefined || end === undefined) return operand.fail('expected a start and an end');
  return { p, between: [start.number(), end.number()] };
};
const equalNumber: Test = (p, operand) => ({ p, between: [operand.number(), operand.number()] });

const tests: Readonly<Record<string, Test>> = {
  equal_to: isIn,
  not_equal_to: isNotIn,
  list_contains: isIn,
  list_contains_integer: isIn,
  list_does_not_contain: isNotIn,
  contains,
  does_not_contain: (p, operand) => ({ and: [{ p, exists: true }, { not: contains(p, operand) }] }),
  greater_than: (p, operand) => ({ p, gt: operand.number() }),
  greater_than_or_equal_to: (p, operand) => ({ p, gte: operand.number() }),
  less_than: (p, operand) => ({ p, lt: operand.number() }),
  less_than_or_equal_to: (p, operand) => ({ p, lte: operand.number() }),
  between,
  float_between: between,
  float_equal_to: equalNumber,
  boolean_equal_to: (p, operand) =>
    typeof operand.value === 'boolean' ? { p, is: operand.value } : operand.fail('expected true or false'),
  is_empty: flagged('is_empty'),
  is_not_empty: flagged('is_not_empty'),
  date_equal_to: (p, operand) => {
    const start = dateOf(operand);
    // A day without a time means any time of it.
    const lengthMs = /^\d{4}-\d\d-\d\d$/.test(operand.text()) ? dayMs : 1;
    return { p, after: operand.text(), before: new Date(start + lengthMs).toISOString() };
  },
  date_between: (p, operand) => {
    const [after, before] = [operand.only('start', 'end').at('start'), operand.at('end')];
    dateOf(after);
    dateOf(before);
    operand.warn('the end is read as exclusive');
    return { p, after: after.text(), before: before.text() };
  },
};

const dateOf = (place: Place): number => {
  const time = Date.parse(place.text());
  return Number.isNaN(time) ? place.fail('expected a date') : time;
};

/** A condition over the elements of a list. */
const functionOf = (p: string, condition: Place): Pred => {
  const name = condition.only('function', 'property', 'condition', 'where').at('function').text();
  const where = condition.has('where') ? [predOf(condition.at('where'), elementPath)] : [];
  const property = elementPath(condition.at('property'));
  const inner = condition.at('condition');
  if (name === 'count') return countOf(p, all([{ p: property, exists: true }, ...where]), inner);
  if (name !== 'any' && name !== 'all') return condition.at('function').fail(`${name} over a list is not supported`);
  if (name === 'all' && where.length > 0)
    condition.at('where').warn('every element is asked to meet both the condition and where');
  const test =
    typeof inner.value === 'string'
      ? exists(property, inner, inner.value)
      : testOf(property, ...inner.single('a condition'));
  const both = all([test, ...where]);
  return name === 'any' ? { p, any: both } : { p, all: both };
};

const all = (preds: readonly Pred[]): Pred =>
  preds.length === 1 && preds[0] !== undefined ? preds[0] : { and: preds };

/** How many elements there are. `any` requires one at least, so an upper limit is written as a negated lower limit. */
const countOf = (p: string, element: Pred, condition: Place): Pred => {
  const { low, high } = countRange(condition);
  const reached: Leaf = { p, any: element, min: low };
  const exceeded: Leaf = { p, any: element, min: high + 1 };
  if (high < Math.max(low, 0)) return condition.fail('is never met');
  if (high === Infinity) return low > 0 ? reached : condition.fail('is always met');
  return low > 0 ? { and: [reached, { not: exceeded }] } : { not: exceeded };
};

const countRange = (condition: Place): { readonly low: number; readonly high: number } => {
  const [name, operand] = condition.single('a condition');
  switch (name) {
    case 'greater_than':
      return { low: Math.floor(operand.number()) + 1, high: Infinity };
    case 'greater_than_or_equal_to':
      return { low: Math.ceil(operand.number()), high: Infinity };
    case 'less_than':
      return { low: 0, high: Math.ceil(operand.number()) - 1 };
    case 'less_than_or_equal_to':
      return { low: 0, high: Math.floor(operand.number()) };
    case 'equal_to':
      return { low: Math.ceil(operand.number()), high: Math.floor(operand.number()) };
    case 'between':
      return {
        low: Math.ceil(operand.only('start', 'end').at('start').number()),
        high: Math.floor(operand.at('end').number()),
      };
    default:
      return operand.fail(`the condition ${name} is not supported`);
  }
};
