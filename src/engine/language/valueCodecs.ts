import { type Codec, value } from '../../codecs/codecs';

// Values in queries and in entries of rule tables.

export const Name = value<string>('a string that is not empty', (input) => typeof input === 'string' && input !== '');
export const isFinite = (input: unknown): input is number => typeof input === 'number' && Number.isFinite(input);
/** A string or a finite number. Scalars are compared as text, so 123 equals "123". */
export type Scalar = string | number;
export const ScalarCodec = value<Scalar>(
  'a string or a finite number',
  (input) => typeof input === 'string' || isFinite(input),
);
export const Share = value<number>('a number from 0 to 1', (input) => isFinite(input) && input >= 0 && input <= 1);
export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): Codec<number> =>
  value(
    `an integer from ${min} to ${max}`,
    (input) => Number.isInteger(input) && (input as number) >= min && (input as number) <= max,
  );
