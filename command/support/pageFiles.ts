/** What a host has to say of a file, and when the file is uploaded (docs/self-hosting.md). */
export interface Upload {
  readonly file: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** Headers of every file. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

const minutes = 'public, max-age=300, stale-while-revalidate=3600';
const hour = 'public, max-age=3600, stale-while-revalidate=86400';
const day = 'public, max-age=86400';

const isPageScript = (file: string): boolean => file.endsWith('-web.js');
const isDefinitions = (file: string): boolean => /\.worker\.queries\.js$|\.cohorts\.json$/.test(file);

const cacheControlOf = (file: string): string => {
  if (file.endsWith('integrity.json')) return 'no-cache';
  if (isDefinitions(file)) return minutes;
  if (/^v[^/]+\//.test(file)) return day;
  return isPageScript(file) ? minutes : hour;
};

/** The later, the larger: the page script knows the hashes of all parts, and the list those of all scripts. */
const turnOf = (file: string): number =>
  (/^v[^/]+\//.test(file) ? 0 : 10) +
  (file.endsWith('integrity.json') ? 3 : isPageScript(file) ? 2 : isDefinitions(file) ? 1 : 0);

/** The files that no page loads: their text stands in the head of a page. */
export const isPartOfHead = (file: string): boolean => /-(companion\.js|head\.html)$/.test(file);

/** The files in the order of their upload, each with its headers. */
export const uploads = (files: readonly string[]): readonly Upload[] =>
  files
    .filter((file) => !isPartOfHead(file))
    .sort((a, b) => turnOf(a) - turnOf(b) || (a < b ? -1 : 1))
    .map((file) => ({
      file,
      contentType: file.endsWith('.json') ? 'application/json' : 'text/javascript; charset=utf-8',
      cacheControl: cacheControlOf(file),
    }));
