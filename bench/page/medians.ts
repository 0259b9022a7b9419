import type { Total } from '../../bundle/visitFiles';
import { median } from '../measure';
import type { Candidate } from './candidates';

/** What visits of all kinds say of themselves. */
interface AnyVisit {
  readonly candidate: string;
  readonly isFirst: boolean;
  readonly loaded: Total;
}

/** The visits of one candidate, first or later ones, and what names them in a table. */
export const ofCandidate = <Visit extends AnyVisit>(
  { name }: Candidate,
  visits: readonly Visit[],
  isFirst: boolean,
) => {
  const own = visits.filter((visit) => visit.candidate === name && visit.isFirst === isFirst);
  /** The median of what the visits say; NaN where none says it. */
  const medianOf = (read: (visit: Visit) => number | undefined): number =>
    median(own.flatMap((visit) => read(visit) ?? []));
  return {
    named: {
      name,
      isFirst,
      files: medianOf(({ loaded }) => loaded.files),
      gzipKb: medianOf(({ loaded }) => loaded.gzip / 1000),
      brotliKb: medianOf(({ loaded }) => loaded.brotli / 1000),
    },
    medianOf,
  };
};

/** A number as it stands in a table; a dash where there is none. */
export const cell = (value: number, digits = 0): string => (Number.isNaN(value) ? '–' : value.toFixed(digits));

/** What is measured, and the most that it is to be. */
export type Goal = readonly [what: string, measured: number, goal: number];

export const goalHead = ['', 'measured', 'goal', ''];
export const goalRow = ([what, measured, goal]: Goal): readonly string[] => [
  what,
  cell(measured, 1),
  cell(goal, 1),
  Number.isNaN(measured) || Number.isNaN(goal) ? '' : measured <= goal ? 'met' : 'missed',
];
