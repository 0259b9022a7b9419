import { cacheControlOf, contentTypeOf, kindOf } from '../../bundle/fileHeaders';

/** What a host has to say of a file, and when the file is uploaded (docs/self-hosting.md). */
export interface Upload {
  readonly file: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** The later, the larger: the page script names all parts, and the list has the hashes of all scripts. */
const turns = { 'named by content': 0, other: 1, 'page script': 2, list: 3 };
const turnOf = (file: string): number => (/^v[^/]+\//.test(file) ? 0 : 10) + turns[kindOf(file)];

/** The files that no page loads: their text stands in the head of a page. */
export const isPartOfHead = (file: string): boolean => /-(companion\.js|head\.html)$/.test(file);

/** The files in the order of their upload, each with its headers. */
export const uploads = (files: readonly string[]): readonly Upload[] =>
  files
    .filter((file) => !isPartOfHead(file))
    .sort((a, b) => turnOf(a) - turnOf(b) || (a < b ? -1 : 1))
    .map((file) => ({ file, contentType: contentTypeOf(file), cacheControl: cacheControlOf(file) }));
