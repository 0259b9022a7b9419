import { unitMs } from '../../src/engine/language/canonical';
import { ownEntry } from '../../src/hardening/ownFields';
import { dayMs } from '../../src/primitives/duration';
import { doubtful, type Said, wrong } from './finding';
import type { Node } from './nodes';

/** The least count that satisfies a comparison, and the greatest. */
export const countsOf = (comparison: unknown): readonly [least: number, greatest: number] => {
  const { gte, gt, lte, lt, eq, between } = (comparison ?? { gte: 1 }) as Readonly<
    Record<string, number | undefined>
  > & {
    readonly between?: readonly [number, number];
  };
  return [
    between?.[0] ?? eq ?? gte ?? (gt === undefined ? 0 : Math.floor(gt) + 1),
    between?.[1] ?? eq ?? lte ?? (lt === undefined ? Infinity : Math.ceil(lt) - 1),
  ];
};

const durationMs = (duration: unknown): number => {
  if (typeof duration === 'number') return duration;
  if (typeof duration === 'string') return Infinity;
  const [[unit, n] = ['', 0]] = Object.entries((duration ?? {}) as Readonly<Record<string, number>>);
  return n * (ownEntry<number>(unitMs, unit) ?? Infinity) || Infinity;
};

/** Different values that a property of the event itself can have in a window. */
const mostValues: Readonly<Record<string, (windowMs: number) => number>> = {
  // A window of seven days reaches into eight.
  $day: (windowMs) => Math.ceil(windowMs / dayMs) + 1,
  $hour: () => 24,
};

/** Counts that no visitor can have, or all visitors have. */
export const countFaults = (node: Node): readonly Said[] => {
  const { event, sequence, entered, exited, is, within, distinct, sum, span } = node;
  if (event === undefined && sequence === undefined && entered === undefined && exited === undefined) return [];
  // A step of a sequence, and the first or last event, count nothing.
  const [least, greatest] = countsOf(is);
  const wholly = sum === undefined;
  const most = typeof distinct === 'string' ? (mostValues[distinct]?.(durationMs(within)) ?? Infinity) : Infinity;
  return [
    ...(greatest < 0 || (wholly && (is as Node | undefined)?.['eq'] !== undefined && !Number.isInteger(least))
      ? [wrong('no count is below 0 or a fraction, so this is true for nobody', 'compare with a whole number')]
      : []),
    ...(least <= 0 && greatest === Infinity
      ? [doubtful('every count is 0 or more, so this is true for everybody', 'write {"gte": 1} for at least once')]
      : []),
    ...(least > most
      ? [
          wrong(
            `${distinct as string} has at most ${most} values in that time, and ${least} are asked for`,
            'ask for fewer, or in a longer time',
          ),
        ]
      : []),
    ...(within === 'view' && event === 'Pageview' && wholly && least > 1 && least < Infinity
      ? [doubtful('a view has one Pageview', 'count in a session or a number of days')]
      : []),
    ...(span !== undefined && durationMs(span) > durationMs(within)
      ? [doubtful('the steps may take longer than they count', 'let span be within or less')]
      : []),
  ];
};
