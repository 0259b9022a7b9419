import type { OwnScript } from './ownScript';

/** A file of the bundle, and what its content must be for a browser to take it. */
export interface BundleFile {
  readonly url: string;
  /**
   * As in the attribute of a script element. Empty where the content is not checked, because the page has not pinned
   * the page script either; such a file needs no CORS.
   */
  readonly integrity: string;
}

/** SHA-256 of the bundle's files in base 64, by the names of the parts. */
export type FileHashes = Readonly<Record<string, string>>;

/**
 * What a file's name has of its SHA-256 in base 64: 96 bits, in letters that need no escape in an address. Calls no
 * native, because the file that checks them is found by it.
 */
export const nameHash = (sha256: string): string => {
  let name = '';
  for (let i = 0; i < 16; i += 1) {
    const letter = sha256[i] ?? '';
    name += letter === '+' || letter === '/' ? '-' : letter;
  }
  return name;
};

/**
 * The name of a part of the bundle, without its ending. The name says the content, so what it names never changes, and
 * parts of two builds never meet. `script`: the page script's name; `part`: the name that the sources call it by.
 */
export const partName = (script: string, part: string, sha256: string): string =>
  `${script}.${part}.${nameHash(sha256)}`;

/** Answers a function that finds a file in the folder `base` by its name. */
export const bundleFiles =
  (base: string, { isPinned }: Pick<OwnScript, 'isPinned'>, scriptName: string, hashes: FileHashes) =>
  (name: string): BundleFile => {
    const hash = hashes[name] ?? '';
    return { url: `${base}${partName(scriptName, name, hash)}.js`, integrity: isPinned ? `sha256-${hash}` : '' };
  };
