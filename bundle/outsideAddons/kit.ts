import { resolve } from 'node:path';

/** Name by which addons import the kit. */
export const kitName = 'permutive-web-sdk/addon-kit';
/** The kit's source. */
export const kitFile = (root: string): string => resolve(root, 'src/addonKit/addonKit.ts');
/** Packages that an addon shares with the SDK: two copies of RxJS would not know each other's streams. */
export const sharedPackages = /^(rxjs|io-ts|fp-ts)(\/|$)/;
