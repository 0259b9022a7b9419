import type { GeoipAnswer } from '../../endpoints/geoip';
import type { WatsonAnswer } from '../../endpoints/watson';
import { ownFields } from '../../model/ownFields';

/** The visitor's place and the classification of the page; empty parts where the server gave none. */
export interface PageData {
  /** The visitor's place, as the server finds it by the address of the request. */
  readonly geoip: GeoipAnswer;
  /** What the page is about, as the classification service says. */
  readonly watson: WatsonAnswer;
}

/** The data where nothing is known. A part that is identical to the one here was asked for in vain, or not at all. */
export const noPageData: PageData = { geoip: {}, watson: {} };

/** The taxonomy labels of the page with all their prefixes, each once. */
const labels = ({ watson: { taxonomy } }: PageData): readonly string[] => [
  ...new Set((taxonomy ?? []).flatMap(({ label }) => labelPrefixes(label))),
];

/** The label and every path above it: `/a/b/c`, `/a/b` and `/a` (spec S§3). */
const labelPrefixes = (label: string): readonly string[] => {
  const parts = label.split('/').filter((part) => part !== '');
  const start = label.startsWith('/') ? '/' : '';
  return parts.map((_, i) => start + parts.slice(0, i + 1).join('/'));
};

/** By placeholder, how its data is read (spec C§3). A property value that is exactly such a name is replaced. */
const placeholders: Readonly<Record<string, (data: PageData) => unknown>> = {
  $ip_geo_info: ({ geoip }) => geoip.geo_info,
  $ip_geo_info_continent: ({ geoip }) => geoip.geo_info?.continent,
  $ip_isp_info: ({ geoip }) => geoip.isp_info,
  $ip_address: ({ geoip }) => geoip.ip_address,
  $ip_address_hash: ({ geoip }) => geoip.ip_hash,
  $alchemy_concepts: ({ watson }) => watson.concepts ?? [],
  $alchemy_document_emotion: ({ watson }) => watson.emotion?.document.emotion,
  $alchemy_document_sentiment: ({ watson }) => watson.sentiment?.document,
  $alchemy_entities: ({ watson }) => watson.entities ?? [],
  $alchemy_entity_names: ({ watson }) => (watson.entities ?? []).map(({ text }) => text),
  $alchemy_keywords: ({ watson }) => watson.keywords ?? [],
  $alchemy_taxonomy: ({ watson }) => watson.taxonomy ?? [],
  $alchemy_taxonomy_labels: labels,
  $taxonomy_labels: labels,
};

const isPlaceholder = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('$') && Object.hasOwn(placeholders, value);

/** The placeholders in a plain value, at any depth, in order and with repetitions. */
export const placeholdersIn = (value: unknown): readonly string[] => {
  const found: string[] = [];
  // One list for all levels: every event is searched, and hardly one has a placeholder.
  const search = (item: unknown): void => {
    if (isPlaceholder(item)) found.push(item);
    else if (typeof item === 'object' && item !== null) for (const inside of Object.values(item)) search(inside);
  };
  search(value);
  return found;
};

/**
 * A copy of a plain value with its placeholders replaced, all or those that `isWanted` accepts. Unknown data becomes
 * null or an empty list.
 */
export const filled = <A>(
  value: A,
  { geoip, watson }: PageData,
  isWanted: (name: string) => boolean = () => true,
): A => {
  const data: PageData = { geoip: ownFields(geoip), watson: ownFields(watson) };
  const fill = (item: unknown): unknown => {
    if (isPlaceholder(item) && isWanted(item)) return placeholders[item]?.(data) ?? null;
    if (Array.isArray(item)) return item.map(fill);
    return typeof item === 'object' && item !== null
      ? Object.fromEntries(Object.entries(item).map(([key, inside]) => [key, fill(inside)]))
      : item;
  };
  return fill(value) as A;
};

/** The place in one flat record without levels, as queries and `permutive.context` read it. */
export const flatPlace = (geoip: GeoipAnswer): Readonly<Record<string, unknown>> => {
  const { geo_info, isp_info } = ownFields(geoip);
  return { ...isp_info, ...geo_info };
};

/** The data in the shape of `permutive.context`: the place as a flat record, the classification as it was answered. */
export const contextOf = (
  data: Partial<PageData>,
): {
  readonly geoip?: Readonly<Record<string, unknown>>;
  readonly watson?: Readonly<Record<string, unknown>>;
} => {
  const { geoip, watson } = ownFields(data);
  return { ...(geoip && { geoip: flatPlace(geoip) }), ...(watson && { watson }) };
};
