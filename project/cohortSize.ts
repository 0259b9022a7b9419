import { gzipSync } from 'node:zlib';

/** About what one cohort adds to the file of queries. The file has operands that several cohorts ask for once. */
export interface CohortSize {
  readonly bytes: number;
  readonly gzip: number;
}

/** Compressing the list once for each cohort takes the square of its length. */
const maxCompressed = 300;

const compressed = (list: readonly string[]): number => gzipSync(`[${list.join()}]`).length;

/**
 * By how much a list of queries is longer with each of some of them. In a list of more than 300, the gzip of a query is
 * that of the query alone. `wanted`: their places in the list; all without it.
 */
export const cohortSizes = (
  queries: readonly object[],
  wanted: readonly number[] = queries.map((_, i) => i),
): readonly CohortSize[] => {
  const texts = queries.map((query) => JSON.stringify(query));
  const whole = compressed(texts);
  return wanted.map((place) => {
    const text = texts[place] ?? '';
    return {
      bytes: Buffer.byteLength(text) + 1,
      gzip:
        texts.length > maxCompressed
          ? gzipSync(text).length
          : whole - compressed(texts.filter((_, other) => other !== place)),
    };
  });
};
