import * as fc from 'fast-check';

/** A value that no message may quote. */
export const secret = 'reader@site.example';
// The secret in every place that a value can have, under names that codecs know.
const names = fc.constantFrom(
  'id',
  'name',
  'time',
  'properties',
  'type',
  'event',
  'opt_in',
  'token',
  'queries',
  'config',
  'functionName',
  'arguments',
  'sc',
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(secret),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
}));

/** Inputs of all shapes with the secret in them. */
export const broken: fc.Arbitrary<unknown> = value;
