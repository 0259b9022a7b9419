import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { type Counted, type StartCounts, startLimits } from './startLimits';

const folder = resolve(__dirname, '../../build/counts');

/** Compares what a start has done with the limits, and leaves both for the end of `npm test`. */
export const checkStart = (name: string, counts: StartCounts): void => {
  const rows = (Object.entries(counts) as [keyof typeof startLimits, Counted][]).map(([what, counted]) => ({
    what,
    counted,
    limits: startLimits[what],
  }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, `${name}.json`), JSON.stringify(rows, null, 2));
  expect(rows.filter(({ counted, limits }) => counted.some((count, i) => count > limits[i]!))).toEqual([]);
};
