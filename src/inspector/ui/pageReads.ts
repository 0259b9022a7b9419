import type { PublicMethods } from '../../api/publicMethods';
import { isRecord } from '../../codecs/codecs';
import { NoJson } from '../../hardening/json';
import type { Event } from '../../model/event';
import type { Page } from '../../platform/platform';
import type { World } from '../../visit/world';
import type { Arrived, CodesByName } from '../activationRoute';
import { readOf } from '../doctor/askPage';
import type { InspectedPage } from '../inspectedPage';
import type { LogEntry } from '../logEntry';

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

/** An event, or an announcement of the SDK, which has a name and a time only. */
type RememberedEvent = Pick<Event, 'name' | 'time'> & Partial<Event>;

/** Events of this page that the SDK remembers for listeners, the oldest first. Empty without consent. */
export const rememberedEvents = (tag: InspectedPage['tag']): readonly RememberedEvent[] => {
  const events: RememberedEvent[] = [];
  methodsOf(tag)
    .on?.(/./, (event: RememberedEvent) => events.push(event))
    .replay()
    .remove();
  return events;
};

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
type PlacedKeys = readonly (readonly [place: string, keys: Readonly<Record<string, readonly string[]>>])[];

/** What Google's tag has been told, for the page and for each slot. Empty without the tag. */
export const googleTargeting = ({ global }: Pick<Page, 'global'>): PlacedKeys =>
  readOf<PlacedKeys>(() => {
    const googletag = global('googletag') as ReadableGoogletag | undefined;
    const pubads = googletag?.pubads?.();
    if (googletag === undefined || pubads === undefined) return [];
    return [
      ['page', keysOf(pubads.getTargetingKeys === undefined ? googletag : pubads)],
      ...(pubads.getSlots?.() ?? []).map((slot) => [slot.getSlotElementId?.() ?? 'slot', keysOf(slot)] as const),
    ];
  }, []);

/** Keys of the page or a slot. Tags without `getTargetingKeys` are asked by `getConfig`. */
const keysOf = (place: Targeted): Readonly<Record<string, readonly string[]>> => {
  const keys = place.getTargetingKeys?.();
  const targeting: ReadableTargeting =
    keys === undefined
      ? (place.getConfig?.('targeting').targeting ?? {})
      : Object.fromEntries(keys.map((key) => [key, place.getTargeting?.(key) ?? []]));
  return Object.fromEntries(Object.entries(targeting).map(([key, value]) => [key, [value ?? []].flat().map(String)]));
};

/** The part of the AppNexus tag that is read. */
interface ReadableApntag {
  readonly getTag?: () => Readonly<Record<string, { readonly keywords?: unknown } | undefined>>;
}

/** Values of the keyword `permutive` of each tag of AppNexus; undefined without its tag. */
export const appnexusCodes = ({ global }: Pick<Page, 'global'>): CodesByName | undefined =>
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

/** The parts of Prebid that are read. */
interface Pbjs {
  readonly getEvents?: () => readonly { readonly eventType?: string; readonly args?: unknown }[];
}
interface BidsRequested {
  readonly bidderCode?: string;
  readonly bids?: readonly { readonly ortb2?: { readonly user?: unknown } }[];
}

/** All short texts about the user in each bid request of Prebid, by bidder; undefined without Prebid. */
export const bidRequests = ({ global }: Pick<Page, 'global'>): CodesByName | undefined =>
  readOf(
    () =>
      (global('pbjs') as Pbjs | undefined)
        ?.getEvents?.()
        .filter(({ eventType }) => eventType === 'bidRequested')
        .map(({ args }) => {
          const { bidderCode, bids } = args as BidsRequested;
          return [String(bidderCode), bids?.flatMap(({ ortb2 }) => shownTexts(ortb2?.user)) ?? []] as const;
        }),
    undefined,
  );

/** All texts and numbers anywhere in a value. */
const shownTexts = (value: unknown): readonly string[] =>
  typeof value === 'string' || typeof value === 'number'
    ? [String(value)]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(shownTexts)
      : [];

/** Where the cohorts of a page have arrived. */
export const arrivedOn = (world: World, entries: readonly LogEntry[]): Arrived => {
  const [ofPage, ...ofSlots] = googleTargeting(world.page);
  return {
    readKey: storedJson(world),
    googleCodes: ofPage?.[1]['permutive'],
    slotCodes: ofSlots.flatMap(([slot, { permutive }]) =>
      permutive === undefined ? [] : [[slot, permutive] as const],
    ),
    adRequests: entries.flatMap(({ lane, type, data }) => {
      const properties = lane === 'events' && type === 'AdRequest' && isRecord(data) ? data['properties'] : undefined;
      const codes = isRecord(properties) ? properties['cohorts'] : undefined;
      return Array.isArray(codes) ? [codes.map(String)] : [];
    }),
    appnexusCodes: appnexusCodes(world.page),
    bidRequests: bidRequests(world.page),
  };
};
