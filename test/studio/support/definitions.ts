import * as fc from 'fast-check';

import { records, unions } from '../../../project/language/constructs';
import type { Field, FieldTable, Kind, UnionName } from '../../../project/language/kinds';

// Random definitions of the whole language. The rows of the form say what there is, so a new row is tested with it.

const word = fc.constantFrom('sport', 'Money', 'arts and more', '17', ' spaced', '"quoted"', 'line\nbreak', '');
const scalar = fc.oneof(word, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const name = fc.constantFrom('Pageview', 'LinkClick', 'Buy');
const duration = fc.oneof(
  fc.integer({ min: 1, max: 10_000 }),
  fc
    .tuple(fc.constantFrom('seconds', 'minutes', 'hours', 'days', 'weeks'), fc.integer({ min: 1, max: 50 }))
    .map(([unit, amount]) => ({ [unit]: amount })),
);

/** JSON of a kind. `depth`: how many levels may follow. */
const jsonOfKind = (kind: Kind, depth: number): fc.Arbitrary<unknown> => {
  switch (kind.type) {
    case 'union':
      return nodeOf(kind.of, depth);
    case 'record':
      return fieldsOf(records[kind.of], depth);
    case 'list':
      return fc.array(jsonOfKind(kind.of, depth - 1), { minLength: 2, maxLength: 3 });
    case 'table':
      return fc.dictionary(fc.constantFrom('dfp', 'appnexus', 'web'), jsonOfKind(kind.of, depth), { maxKeys: 2 });
    case 'text':
      return kind.completion === 'path' ? fc.constantFrom('a.b', '$view_id', 'price') : fc.constantFrom('1', 'fans');
    case 'names':
      return fc.oneof(name, fc.array(name, { minLength: 1, maxLength: 2 }));
    case 'operand':
      return scalar;
    case 'operands':
      if (kind.of === 'text') return fc.array(word, { minLength: 1, maxLength: 3 });
      return fc.oneof(
        { weight: 3, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }) },
        fc.array(scalar, { minLength: 1, maxLength: 3 }),
        fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 3 }),
      );
    case 'number':
      return kind.isInteger === true
        ? fc.integer({ min: kind.min ?? 0, max: Math.min(kind.max ?? 8, 8) })
        : fc.double({ min: kind.min ?? -10, max: kind.max ?? 10, noNaN: true });
    case 'flag':
      return fc.boolean();
    case 'mark':
      return fc.constant(true);
    case 'choice':
      return fc.constantFrom(...Object.keys(kind.of));
    case 'date':
      return fc.constantFrom('2026-01-01', '2026-02-01T10:00:00Z');
    case 'range':
      return fc.tuple(fc.integer(), fc.integer());
    case 'comparison':
      return fc.oneof(
        fc.tuple(fc.constantFrom('gte', 'gt', 'lte', 'lt', 'eq'), fc.integer()).map(([by, to]) => ({ [by]: to })),
        fc.tuple(fc.integer(), fc.integer()).map((between) => ({ between })),
      );
    case 'duration':
      return kind.hasScopes ? fc.oneof(duration, fc.constantFrom('session', 'view')) : duration;
  }
};

const fieldsOf = (fields: FieldTable, depth: number): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(Object.entries(fields).map(([key, { kind }]) => [key, jsonOfKind(kind, depth)])),
    // A deep condition has few optional fields, so that the definitions stay small.
    { requiredKeys: Object.entries(fields).flatMap(([key, field]) => (isNeeded(field) ? [key] : [])) },
  );
const isNeeded = ({ isOptional }: Field): boolean => isOptional !== true;

const nodeOf = (union: UnionName, depth: number): fc.Arbitrary<unknown> => {
  const constructs = Object.entries(unions[union]);
  const isFlat = ([, { fields }]: (typeof constructs)[number]): boolean =>
    Object.values(fields).every((field) => !isNeeded(field) || !['union', 'list', 'record'].includes(field.kind.type));
  const [first, ...others] = (depth > 0 ? constructs : constructs.filter(isFlat)).map(([, { fields }]) =>
    depth > 0 ? fieldsOf(fields, depth - 1) : fieldsOf(flat(fields), 0),
  );
  return first === undefined ? fc.constant({}) : fc.oneof(first, ...others);
};

/** Only what has no level below it. */
const flat = (fields: FieldTable): FieldTable =>
  Object.fromEntries(Object.entries(fields).filter(([, { kind }]) => !['union', 'list'].includes(kind.type)));

/** Definitions of the form's table; most can be read by the engine. */
export const anyDefinition: fc.Arbitrary<unknown> = fieldsOf(records.definition, 2);
