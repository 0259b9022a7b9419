import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { isPageScript, partAt } from './fileNames';

/** Bytes of a file, and of what a host sends for it. */
export interface Weight {
  readonly bytes: number;
  readonly gzip: number;
  readonly brotli: number;
}

/** Weighs a file as a host sends it that has compressed it beforehand. */
export const weightOf = (content: Buffer): Weight => ({
  bytes: content.length,
  gzip: gzipSync(content, { level: 9 }).length,
  brotli: brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }).length,
});

export type VisitKind = 'unasked' | 'refusing' | 'first' | 'later' | 'published';

/**
 * What a page loads of the bundle in each kind of visit, beyond what the browser has kept. Browsers keep every part but
 * the page script, which they ask for again after five minutes. Parts that only some pages or visitors need are in none
 * of them: error reports, metrics, overlays, video, the inspector, cloud lift, explanations, and what stands in for
 * what a page refuses.
 */
export const visitFiles: Readonly<Record<VisitKind, { readonly when: string; readonly parts: readonly string[] }>> = {
  unasked: { when: 'a visit before consent, where it is required', parts: [''] },
  refusing: { when: 'a visit whose visitor refuses', parts: ['', 'main'] },
  first: {
    when: 'a first visit, with consent where it is required',
    parts: ['', 'main', 'deferred', 'worker', 'worker.services', 'worker.queries'],
  },
  later: { when: 'a later visit', parts: [''] },
  published: { when: 'a later visit, after a publication of cohorts', parts: ['', 'worker.queries'] },
};
export const visitKinds = Object.keys(visitFiles) as readonly VisitKind[];

/** What several files weigh in all. */
export interface Total extends Weight {
  readonly files: number;
}

/** Sums the weights of files. */
export const totalOf = (weights: readonly Weight[]): Total => {
  const sum = (unit: keyof Weight): number => weights.reduce((total, weight) => total + weight[unit], 0);
  return { files: weights.length, bytes: sum('bytes'), gzip: sum('gzip'), brotli: sum('brotli') };
};

/** What a visit loads in all. */
export interface VisitWeight extends Total {
  readonly visit: VisitKind;
}

/** Sums what each kind of visit loads of a build. Of several projects in one folder, the first is summed. */
export const visitWeights = (files: readonly (Weight & { readonly file: string })[]): readonly VisitWeight[] => {
  const script = files.find(({ file }) => isPageScript(file))?.file.replace(/\.js$/, '');
  const own = files.filter(({ file }) => script !== undefined && file.startsWith(script));
  return visitKinds.map((visit) => {
    const { parts } = visitFiles[visit];
    return { visit, ...totalOf(own.filter(({ file }) => parts.some((part) => part === partAt(file)))) };
  });
};
