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

/** SHA-256 of the bundle's files in base 64, by what their names have after the page script's. */
export type FileHashes = Readonly<Record<string, string>>;

/**
 * Answers a function that finds a file by its name. The function throws where the script's own address is unknown: any
 * other address could be an attacker's. The error is one for all files, so that it is reported once.
 */
export const bundleFiles = ({ base, isPinned }: OwnScript, scriptName: string, hashes: FileHashes) => {
  let unknown: Error | undefined;
  return (name: string): BundleFile => {
    if (base === undefined) throw (unknown ??= new Error('The address of the script is unknown'));
    return { url: `${base}${scriptName}.${name}.js`, integrity: isPinned ? `sha256-${hashes[name] ?? ''}` : '' };
  };
};
