import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

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
interface CohortSize {
  readonly id: string;
  readonly bytes: number;
  readonly gzip: number;
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

/** Compressing the list once for each cohort takes the square of its length. */
const maxCompressed = 300;

/** By how much the list of queries is longer with each cohort, the largest first. */
const cohortSizes = (file: string): readonly CohortSize[] => {
  const texts = builtQueries(file).queries.map((query) => [query.id, JSON.stringify(query)] as const);
  const compressed = (list: readonly string[]): number => gzipSync(`[${list.join()}]`).length;
  const all = texts.map(([, text]) => text);
  const whole = compressed(all);
  return texts
    .map(([id, text], i) => ({
      id,
      bytes: Buffer.byteLength(text) + 1,
      gzip:
        texts.length > maxCompressed
          ? gzipSync(text).length
          : whole - compressed(all.filter((_, other) => other !== i)),
    }))
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
    const cohorts = queries === undefined ? [] : cohortSizes(queries);
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
