import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { type CohortSize, cohortSizes } from '../project/cohortSize';
import { command } from './command';
import { builtFiles, builtQueries, queriesFile } from './support/builtFiles';
import { tableText } from './support/tableText';

interface FileSize {
  readonly file: string;
  readonly bytes: number;
  readonly gzip: number;
  readonly brotli: number;
}

/** What one cohort adds to the file of queries. */
interface NamedSize extends CohortSize {
  readonly id: string;
}

const sizeOf = (folder: string, file: string): FileSize => {
  const content = readFileSync(resolve(folder, file));
  return {
    file,
    bytes: content.length,
    gzip: gzipSync(content, { level: 9 }).length,
    brotli: brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }).length,
  };
};

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
    summary: 'Lists the files of a build with their sizes, and what each cohort adds to the file of queries.',
    options: { json: { type: 'boolean', default: false } },
    operands: [0, 1],
  },
  ({ values, positionals: [given = 'dist'] }, io) => {
    const folder = resolve(io.cwd, given);
    const names = builtFiles(folder, given);
    const files = names.map((file) => sizeOf(folder, file));
    const queries = queriesFile(folder, names);
    const cohorts = queries === undefined ? [] : sizesByCohort(queries);
    if (values.json) io.out(JSON.stringify({ files, cohorts }, null, 2));
    else {
      io.out(
        tableText(
          ['file', 'bytes', 'gzip', 'brotli'],
          files.map((row) => Object.values(row) as (string | number)[]),
        ),
      );
      io.out('');
      io.out(
        tableText(
          ['cohort', 'bytes', 'gzip'],
          cohorts.map((row) => Object.values(row) as (string | number)[]),
        ),
      );
    }
    return 0;
  },
);
