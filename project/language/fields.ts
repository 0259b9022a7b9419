import { maxChildren } from '../../src/engine/language/languageCodec';
import { maxOperands } from '../../src/engine/language/valueTests';
import type { Field, Kind } from './kinds';

// Kinds and fields that constructs of conditions and tests of values have in common.

export const field = (kind: Kind, label: string, help: string): Field => ({ kind, label, help });
/** `start`: what the field begins with when somebody adds it. */
export const optional = (kind: Kind, label: string, help: string, start: unknown): Field => ({
  ...field(kind, label, help),
  isOptional: true,
  start,
});

export const expr: Kind = { type: 'union', of: 'expr' };
export const pred: Kind = { type: 'union', of: 'pred' };
export const aTest = { p: 'client.url', exists: true } as const;
export const preds: Kind = { type: 'list', of: pred, min: 1, max: maxChildren, item: 'test', start: aTest };
export const flag: Kind = { type: 'flag' };
export const number: Kind = { type: 'number' };
export const path: Kind = { type: 'text', minLength: 1, completion: 'path' };
export const operand: Kind = { type: 'operand', completion: 'value' };
export const operands = {
  type: 'operands',
  of: 'scalar',
  min: 1,
  max: maxOperands,
  completion: 'value',
} as const satisfies Kind;

const count: Kind = { type: 'number', min: 0, isInteger: true };
export const hits = {
  min: optional(count, 'At least', 'How many must hold. Without a number, one is enough.', 1),
  max: optional(count, 'At most', 'How many may hold. Without a number, there is no limit.', 2),
};
