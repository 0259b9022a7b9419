// The package entry `permutive-web-sdk`: types of `window.permutive`, and a loader in place of the README's snippet.

export { load, type LoadConfig } from './load';
export type { PageConfig } from './pageConfig';
export type * from './permutive';
