import type { AddonCheck } from '../../../src/addonKit/addonCheck';

/** A video without an element. */
export const checks: Readonly<Record<string, AddonCheck>> = {
  ctv: { options: { duration: 60_000, videoProperties: { title: 'Copper' } } },
};
