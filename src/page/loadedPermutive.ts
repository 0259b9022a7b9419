import type { Permutive } from './permutive';

/** `window.permutive` once the SDK has loaded: with all methods and live properties. */
export type LoadedPermutive = Required<Permutive>;
