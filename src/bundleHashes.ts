/** Hashes of the other files of the bundle. The build writes them here, once. */
export const hashes = bundleHashes;
