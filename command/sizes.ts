import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { visitFiles, type VisitWeight, visitWeights, type Weight, weightOf } from '../bundle/visitFiles';
import { type CohortSize, cohortSizes } from '../project/cohortSize';
import { command } from './command';
import { builtFiles, builtQueries, queriesFile } from './support/builtFiles';
import { tableText } from './support/tableText';

interface FileSize extends Weight {
  readonly file: string;
}

/** What one cohort adds to the file of queries. */
interface NamedSize extends CohortSize {
  readonly id: string;
}

/** By how much the list of queries is longer with each cohort, the largest first. */
const sizesByCohort = (file: string): readonly NamedSize[] => {
  const queries = builtQueries(file);
  return cohortSizes(queries)
    .map((size, i) => ({ id: queries[i]!.id, ...size }))
    .sort((a, b) => b.bytes - a.bytes);
};

/** Says how large the files of a build are. */
export const sizes = command(
  {
    usage: '[DIR] [--json]',
    summary: 'Lists the files of a build with their sizes, what a visit loads, and what each cohort adds.',
    options: { json: { type: 'boolean', default: false } },
    operands: [0, 1],
  },
  ({ values, positionals: [given = 'dist'] }, io) => {
    const folder = resolve(io.cwd, given);
    const names = builtFiles(folder, given);
    const files = names.map((file): FileSize => ({ file, ...weightOf(readFileSync(resolve(folder, file))) }));
    const visits = visitWeights(files);
    const queries = queriesFile(folder, names);
    const cohorts = queries === undefined ? [] : sizesByCohort(queries);
    if (values.json) io.out(JSON.stringify({ files, visits, cohorts }, null, 2));
    else io.out(textOf(files, visits, cohorts));
    return 0;
  },
);

const textOf = (files: readonly FileSize[], visits: readonly VisitWeight[], cohorts: readonly NamedSize[]): string =>
  [
    tableText(
      ['file', 'bytes', 'gzip', 'brotli'],
      files.map(({ file, bytes, gzip, brotli }) => [file, bytes, gzip, brotli]),
    ),
    tableText(
      ['visit', 'files', 'bytes', 'gzip', 'brotli'],
      visits.map(({ visit, files, bytes, gzip, brotli }) => [visitFiles[visit].when, files, bytes, gzip, brotli]),
    ),
    tableText(
      ['cohort', 'bytes', 'gzip'],
      cohorts.map(({ id, bytes, gzip }) => [id, bytes, gzip]),
    ),
  ].join('\n\n');
