import type { PublicMethods } from '../../api/publicMethods';
import { isRecord } from '../../codecs/codecs';
import { NoJson } from '../../hardening/json';
import type { Event } from '../../model/event';
import type { Page } from '../../platform/platform';
import type { World } from '../../visit/world';
import { readOf } from '../doctor/askPage';
import type { InspectedPage } from '../inspectedPage';

/** Reads a key of local storage as JSON; null where there is none under it. */
export const storedJson =
  ({ local, json }: Pick<World, 'local' | 'json'>) =>
  (key: string): unknown => {
    const stored = json.parse(local.read(key) ?? 'null');
    return stored === NoJson ? null : stored;
  };

/**
 * The methods of the tag, once the SDK has put them there. Before, they are stubs of the page, which keep calls for
 * later.
 */
export const methodsOf = (tag: InspectedPage['tag']): Partial<PublicMethods> => ('context' in tag ? tag : {});

/** Events of this page that the SDK remembers for listeners, the oldest first. Empty without consent. */
export const rememberedEvents = (tag: InspectedPage['tag']): readonly RememberedEvent[] => {
  const events: RememberedEvent[] = [];
  methodsOf(tag)
    .on?.(/./, (event: RememberedEvent) => events.push(event))
    .replay()
    .remove();
  return events;
};

/** An event, or an announcement of the SDK, which has a name and a time only. */
export type RememberedEvent = Pick<Event, 'name' | 'time'> & Partial<Event>;

/** The parts of Google's tag that the inspector reads. Any of these functions may be missing or throw. */
interface Targeted {
  readonly getTargetingKeys?: () => readonly string[];
  readonly getTargeting?: (key: string) => readonly string[];
  readonly getConfig?: (key: 'targeting') => { readonly targeting?: ReadableTargeting | null };
}
type ReadableTargeting = Readonly<Record<string, string | readonly string[] | null>>;
interface ReadableSlot extends Targeted {
  readonly getSlotElementId?: () => string;
}
interface ReadableGoogletag extends Targeted {
  readonly pubads?: () => Targeted & { readonly getSlots?: () => readonly ReadableSlot[] };
}

/** Keys with their values, by the place that has them: the page, or the element of a slot. */
export type PlacedKeys = readonly (readonly [place: string, keys: Readonly<Record<string, readonly string[]>>])[];

/** What Google's tag has been told, for the page and for each slot. Empty without the tag. */
export const googleTargeting = (page: Pick<Page, 'global'>): PlacedKeys => {
  try {
    const googletag = page.global('googletag') as ReadableGoogletag | undefined;
    const pubads = googletag?.pubads?.();
    if (googletag === undefined || pubads === undefined) return [];
    return [
      ['page', keysOf(pubads.getTargetingKeys === undefined ? googletag : pubads)],
      ...(pubads.getSlots?.() ?? []).map((slot) => [slot.getSlotElementId?.() ?? 'slot', keysOf(slot)] as const),
    ];
  } catch {
    // The tag is the page's, and may be half of one.
    return [];
  }
};

/** Keys of the page or a slot. Tags without `getTargetingKeys` are asked by `getConfig`. */
const keysOf = (place: Targeted): Readonly<Record<string, readonly string[]>> => {
  const keys = place.getTargetingKeys?.();
  const targeting: ReadableTargeting =
    keys === undefined
      ? (place.getConfig?.('targeting').targeting ?? {})
      : Object.fromEntries(keys.map((key) => [key, place.getTargeting?.(key) ?? []]));
  return Object.fromEntries(Object.entries(targeting).map(([key, value]) => [key, [value ?? []].flat().map(String)]));
};

/** The values of Google's key `permutive`; undefined where there is no tag of Google's. */
export const googleCodes = (page: Pick<Page, 'global'>): readonly string[] | undefined =>
  googleTargeting(page).find(([place]) => place === 'page')?.[1]['permutive'];

/** Slots that have a key `permutive` of their own, with its values. */
export const slotCodes = (page: Pick<Page, 'global'>): readonly (readonly [slot: string, codes: readonly string[]])[] =>
  googleTargeting(page)
    .slice(1)
    .flatMap(([slot, { permutive }]) => (permutive === undefined ? [] : [[slot, permutive.map(String)] as const]));

/** The part of the AppNexus tag that is read. */
interface ReadableApntag {
  readonly getTag?: () => Readonly<Record<string, { readonly keywords?: unknown } | undefined>>;
}

/** Values of the keyword `permutive` of each tag of AppNexus; undefined without its tag. */
export const appnexusCodes = ({
  global,
}: Pick<Page, 'global'>): readonly (readonly [tag: string, codes: readonly string[]])[] | undefined =>
  readOf(() => {
    const tags = (global('apntag') as ReadableApntag | undefined)?.getTag?.();
    return (
      tags &&
      Object.entries(tags).map(([tag, defined]) => {
        const keywords = isRecord(defined?.keywords) ? defined.keywords['permutive'] : [];
        return [tag, [keywords ?? []].flat().map(String)] as const;
      })
    );
  }, undefined);

/** The part of Prebid that is read. */
interface Pbjs {
  readonly getEvents?: () => readonly { readonly eventType?: string; readonly args?: unknown }[];
}

/** All short texts about the user in each bid request of Prebid, by bidder; undefined without Prebid. */
export const bidRequests = ({
  global,
}: Pick<Page, 'global'>): readonly (readonly [bidder: string, codes: readonly string[]])[] | undefined =>
  readOf(
    () =>
      (global('pbjs') as Pbjs | undefined)
        ?.getEvents?.()
        .filter(({ eventType }) => eventType === 'bidRequested')
        .map(({ args }) => {
          const { bidderCode, bids } = args as { readonly bidderCode?: string; readonly bids?: readonly BidRequest[] };
          return [String(bidderCode), bids?.flatMap(({ ortb2 }) => shownTexts(ortb2?.user)) ?? []] as const;
        }),
    undefined,
  );

interface BidRequest {
  readonly ortb2?: { readonly user?: unknown };
}

/** All texts and numbers anywhere in a value. */
const shownTexts = (value: unknown): readonly string[] =>
  typeof value === 'string' || typeof value === 'number'
    ? [String(value)]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(shownTexts)
      : [];
