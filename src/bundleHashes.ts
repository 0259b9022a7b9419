/** Hashes of other files of the bundle. The build writes them here, into the page script and into the main part. */
export const hashes = bundleHashes;
