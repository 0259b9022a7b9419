import { type ReactElement, useId } from 'react';

import type { Sized } from '../../protocol';
import { count } from '../parts/words';

// Drawn as plain SVG: two series of at most some hundred days need no library, and the drawing takes the colours of the
// page in both schemes. A chart on a canvas, such as uPlot's, would be nothing to a screen reader.

interface DayChartProps {
  readonly days: Sized['days'];
}

const [width, height, left, above, bottom] = [720, 230, 84, 12, 30];
/** Room that half the label of a day needs. */
const halfLabel = 40;

/** Members by day as bars. The numbers stand in a table below, which is what screen readers get. */
export const DayChart = ({ days }: DayChartProps): ReactElement => {
  const title = useId();
  const most = Math.max(1, ...days.map(({ members }) => members));
  const top = niceTop(most);
  const step = (width - left) / Math.max(days.length, 1);
  const y = (value: number): number => above + (height - above - bottom) * (1 - value / top);
  const labelled = Math.ceil(days.length / 7);
  return (
    <figure>
      <figcaption id={title}>Members by day (UTC)</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} className="chart" aria-hidden="true">
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line className="grid" x1={left} x2={width} y1={y(top * part)} y2={y(top * part)} />
            <text x={left - 8} y={y(top * part) + 5} textAnchor="end">
              {count.format(top * part)}
            </text>
          </g>
        ))}
        {days.map(({ day, members }, i) => (
          <g key={day}>
            <rect
              className="bar-of-day"
              x={left + i * step + step * 0.12}
              width={step * 0.76}
              y={y(members)}
              height={Math.max(height - bottom - y(members), 0)}
            >
              <title>{`${day}: ${count.format(members)}`}</title>
            </rect>
            {i % labelled === 0 && left + (i + 0.5) * step + halfLabel < width && (
              <text x={left + (i + 0.5) * step} y={height - 8} textAnchor="middle">
                {day.slice(5)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <details>
        <summary>The same as a table</summary>
        <table aria-labelledby={title}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" className="number">
                Members
              </th>
              <th scope="col" className="number">
                Visitors
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, members, visitors }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td className="number">{count.format(members)}</td>
                <td className="number">{count.format(visitors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
};

/** A round number at or above another: a small one times a power of ten. */
export const niceTop = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return power * ([1, 2, 3, 4, 5, 6, 8].find((factor) => factor * power >= most) ?? 10);
};
