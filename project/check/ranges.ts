import type { Node } from './nodes';

/** Numbers from one to another; `fromIn` and `toIn` say whether the ends belong to it. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly fromIn: boolean;
  readonly toIn: boolean;
}

/** The numbers that satisfy a comparison; undefined where a node compares no numbers. */
export const rangeOf = ({ gte, gt, lte, lt, eq, between }: Node): Range | undefined => {
  const isNumber = (value: unknown): value is number => typeof value === 'number';
  const [first, last] = (Array.isArray(between) ? between : []) as readonly unknown[];
  if (isNumber(first) && isNumber(last)) return { from: first, to: last, fromIn: true, toIn: true };
  if (isNumber(eq)) return { from: eq, to: eq, fromIn: true, toIn: true };
  if (isNumber(gte) || isNumber(gt))
    return { from: (gte ?? gt) as number, to: Infinity, fromIn: isNumber(gte), toIn: true };
  if (isNumber(lte) || isNumber(lt))
    return { from: -Infinity, to: (lte ?? lt) as number, fromIn: true, toIn: isNumber(lte) };
  return undefined;
};

export const intersection = (a: Range, b: Range): Range => {
  const from = Math.max(a.from, b.from);
  const to = Math.min(a.to, b.to);
  const includes = (range: Range, end: 'from' | 'to', value: number): boolean =>
    range[end] !== value || range[`${end}In`];
  return {
    from,
    to,
    fromIn: includes(a, 'from', from) && includes(b, 'from', from),
    toIn: includes(a, 'to', to) && includes(b, 'to', to),
  };
};

export const isEmpty = ({ from, to, fromIn, toIn }: Range): boolean => from > to || (from === to && !(fromIn && toIn));

/** The whole numbers from 0 that satisfy a comparison of counts, as the least and the greatest; fractions round in. */
export const wholeOf = ({ from, to, fromIn, toIn }: Range): readonly [least: number, greatest: number] => [
  Math.max(0, fromIn ? Math.ceil(from) : Math.floor(from) + 1),
  toIn ? Math.floor(to) : Math.ceil(to) - 1,
];
