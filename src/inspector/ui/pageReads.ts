import { NoJson } from '../../model/json';
import type { Page } from '../../platform/platform';
import type { World } from '../../world';

/** Reads a key of local storage as JSON; null where there is none under it. */
export const storedJson =
  ({ local, json }: Pick<World, 'local' | 'json'>) =>
  (key: string): unknown => {
    const stored = json.parse(local.read(key) ?? 'null');
    return stored === NoJson ? null : stored;
  };

/** The parts of Google's tag and of Prebid that the inspector reads. Any of them may be missing or throw. */
interface Targeted {
  readonly getTargetingKeys?: () => readonly string[];
  readonly getTargeting?: (key: string) => readonly string[];
}
interface Slot extends Targeted {
  readonly getSlotElementId?: () => string;
}
interface Googletag {
  readonly pubads?: () => Targeted & { readonly getSlots?: () => readonly Slot[] };
}

/** Keys with their values, by the place that has them: the page, or the element of a slot. */
export type Targeting = readonly (readonly [place: string, keys: Readonly<Record<string, readonly string[]>>])[];

/** What Google's tag has been told, for the page and for each slot. Empty without the tag. */
export const googleTargeting = (page: Pick<Page, 'global'>): Targeting => {
  try {
    const pubads = (page.global('googletag') as Googletag | undefined)?.pubads?.();
    if (pubads === undefined) return [];
    return [
      ['page', keysOf(pubads)],
      ...(pubads.getSlots?.() ?? []).map((slot) => [slot.getSlotElementId?.() ?? 'slot', keysOf(slot)] as const),
    ];
  } catch {
    return [];
  }
};

const keysOf = (place: Targeted): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries((place.getTargetingKeys?.() ?? []).map((key) => [key, place.getTargeting?.(key) ?? []]));

/** The values of Google's key `permutive`; undefined where there is no tag of Google's. */
export const googleCodes = (page: Pick<Page, 'global'>): readonly string[] | undefined =>
  googleTargeting(page).find(([place]) => place === 'page')?.[1]['permutive'];
