import type { Diagram } from './diagram';

/** Where the frames of several diagrams are drawn. The same frame is at the same place in all of them. */
export interface Axis {
  /** Distance of a frame from the first one, in steps. A later frame is further right. */
  readonly place: (frame: number) => number;
  /** Steps from the first to the last frame. */
  readonly width: number;
  /** Gaps that are too long to be drawn, each by its first and last frame. */
  readonly gaps: readonly (readonly [from: number, to: number])[];
  /** The frames at which something happens, in order. */
  readonly frames: readonly number[];
}

/** Frames that a gap may have before it is shortened. */
const longestGap = 24;
/** Steps that a shortened gap takes. */
const shortGap = 5;

/** Steps from one frame at which something happens to the next. */
const stepsBetween = (from: number, to: number): number => (to - from > longestGap ? shortGap : to - from);

/**
 * The axis of diagrams that are drawn under each other. A frame takes one step. A longer time in which nothing happens
 * takes five steps, and is a gap.
 */
export const axisOf = (diagrams: readonly Diagram[]): Axis => {
  const frames = [...new Set(diagrams.flatMap(({ marks, from, to }) => [from, to, ...marks.map(({ at }) => at)]))].sort(
    (a, b) => a - b,
  );
  const [first = 0] = frames;
  const places = frames.reduce<readonly number[]>((before, frame, i) => {
    const [last = 0, previous = first] = [before.at(-1), frames[i - 1]];
    return [...before, last + stepsBetween(previous, frame)];
  }, []);
  return {
    frames,
    width: places.at(-1) ?? 0,
    place: (frame) => {
      const next = frames.findIndex((known) => known >= frame);
      if (next === -1) return places.at(-1) ?? 0;
      if (next === 0 || frames[next] === frame) return places[next]!;
      const [from, to] = [frames[next - 1]!, frames[next]!];
      return places[next - 1]! + ((frame - from) / (to - from)) * stepsBetween(from, to);
    },
    gaps: frames.flatMap((to, i) => {
      const from = frames[i - 1] ?? to;
      return to - from > longestGap ? [[from, to] as const] : [];
    }),
  };
};
