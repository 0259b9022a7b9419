import { type Axis, axisOf } from './axis';
import type { Diagram, Mark } from './diagram';
import { escaped } from './html';

/** One line of a drawing. */
export interface Lane {
  /** The stream that emits or is subscribed to. */
  readonly label: string;
  readonly role: 'given' | 'expected';
  /** The diagram as the test has it. */
  readonly text: string;
  readonly diagram: Diagram;
}

/** Width of a frame, and all other lengths: px of the drawing. */
export const frameWidth = 22;
/** Where the first frame is drawn. */
export const leftEdge = 24;
const [right, top, laneHeight] = [48, 34, 52];
/** Distance of values of one frame, which stand under each other. */
const groupStep = 20;
/** Width of a letter of a label. */
const labelWidth = 7;

/** Where a frame is drawn: px from the left edge. */
const xOf = (axis: Axis, frame: number): number => leftEdge + axis.place(frame) * frameWidth;

/** Time as people say it: `4 ms`, `4.499 s`, `5 min`. */
export const timeText = (ms: number): string => {
  const [unit, name] = Math.abs(ms) >= 60_000 ? [60_000, 'min'] : Math.abs(ms) >= 1000 ? [1000, 's'] : [1, 'ms'];
  return `${Number((ms / unit).toFixed(3))} ${name}`;
};

/**
 * The lanes of a test as SVG, under each other and with one time. A value is a circle with its letter, completion a
 * bar, an error a cross, and a subscription a bracket. Values of one frame stand under each other.
 */
export const drawingOf = (lanes: readonly Lane[], title: string): string => {
  const axis = axisOf(lanes.map(({ diagram }) => diagram));
  const longestLabel = Math.max(0, ...lanes.map(({ label }) => label.length));
  const width = leftEdge + right + Math.max(axis.width * frameWidth, Math.ceil(longestLabel * labelWidth));
  const tops = lanes.reduce((before, lane) => [...before, before.at(-1)! + heightOf(lane)], [top]);
  const height = tops.at(-1)! + 4;
  return [
    `<svg class="marbles" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg">`,
    `<title>${escaped(title)}</title>`,
    ...ticks(axis, height),
    ...lanes.map((lane, i) => laneOf(lane, axis, tops[i]! + 32)),
    '</svg>',
  ].join('');
};

/** Values of a lane in their order, each with the number of those before it in its frame. */
const stacked = ({ marks }: Diagram): readonly (readonly [mark: Mark, place: number])[] => {
  const seen = new Map<number, number>();
  return marks.map((mark) => {
    const place = seen.get(mark.at) ?? 0;
    if (mark.kind === 'value') seen.set(mark.at, place + 1);
    return [mark, place];
  });
};

const heightOf = ({ diagram }: Lane): number => {
  const values = stacked(diagram).filter(([{ kind }]) => kind === 'value');
  return laneHeight + Math.max(0, ...values.map(([, place]) => place)) * groupStep;
};

/** Frames with a number, as far as the numbers do not overlap. */
const ticks = (axis: Axis, height: number): readonly string[] => {
  let free = -Infinity;
  return axis.frames.flatMap((frame) => {
    const x = xOf(axis, frame);
    const label = timeText(frame);
    const half = label.length * 3.2;
    if (x - half < free) return [];
    free = x + half + 6;
    return [`<path class="tick" d="M${x} 20V${height}"/>`, `<text class="time" x="${x}" y="13">${label}</text>`];
  });
};

const laneOf = ({ label, role, diagram }: Lane, axis: Axis, y: number): string => {
  // Bars first, so that the values of their frame stand before them.
  const marks = [...stacked(diagram)].sort(([a], [b]) => Number(a.kind === 'value') - Number(b.kind === 'value'));
  const gaps = axis.gaps.filter(([, to]) => to <= diagram.to);
  return [
    `<g class="${role}">`,
    `<text class="label" x="${leftEdge}" y="${y - 17}">${escaped(label)}</text>`,
    `<path class="line" d="M${xOf(axis, diagram.from)} ${y}H${xOf(axis, diagram.to)}"/>`,
    ...marks.map(([mark, place]) => markOf(mark, xOf(axis, mark.at), y, place)),
    ...gaps.map(([from, to]) => gapOf((xOf(axis, from) + xOf(axis, to)) / 2, y, to - from)),
    '</g>',
  ].join('');
};

/** A mark at its frame. `place`: how many values of the frame come before it. */
const markOf = ({ at, kind, letter }: Mark, x: number, y: number, place: number): string => {
  const data = `data-frame="${at}" data-kind="${kind}"`;
  const below = y + place * groupStep;
  switch (kind) {
    case 'value':
      return `<g ${data}><circle cx="${x}" cy="${below}" r="9"/><text class="letter" x="${x}" y="${below + 4}">${escaped(letter)}</text></g>`;
    case 'complete':
      return `<path ${data} class="end" d="M${x} ${y - 13}V${Math.max(y, below - groupStep) + 13}"/>`;
    case 'error':
      return `<path ${data} class="failed" d="M${x - 6} ${below - 6}l12 12m0 -12l-12 12"/>`;
    case 'subscribe':
      return `<path ${data} class="end" d="M${x + 5} ${y - 9}h-5v18h5"/>`;
    case 'unsubscribe':
      return `<path ${data} class="end" d="M${x - 5} ${y - 9}h5v18h-5"/>`;
  }
};

/** A long time in which nothing happens: the line is broken, and the time is told. */
const gapOf = (x: number, y: number, ms: number): string =>
  `<g class="gap"><path d="M${x - 22} ${y - 8}h44v16h-44z"/><text x="${x}" y="${y + 4}">${timeText(ms)}</text></g>`;
