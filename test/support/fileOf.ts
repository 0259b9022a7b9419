import type { BundleFile } from '../../src/platform/bundleFiles';

/** Finds a file of a bundle that is at no real address. */
export const fileOf = (name: string): BundleFile => ({ url: `https://cdn.example/web.${name}.js`, integrity: '' });
