import type { GeoipAnswer } from '../../endpoints/geoip';
import type { WatsonAnswer } from '../../endpoints/watson';
import { ownFields } from '../../hardening/ownFields';
import { replaced } from './placeholders';

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

/** Levels of a label that count. Each is a text of its own, so all together grow with the square of the levels. */
const maxLevels = 20;

/** The label and every path above it: `/a/b/c`, `/a/b` and `/a` (spec S§3). */
const labelPrefixes = (label: string): readonly string[] => {
  const parts = label
    .split('/')
    .filter((part) => part !== '')
    .slice(0, maxLevels);
  const start = label.startsWith('/') ? '/' : '';
  return parts.map((_, i) => start + parts.slice(0, i + 1).join('/'));
};

/** By placeholder, how its data is read (spec C§3). The names are those that `placeholders.ts` recognises. */
export const placeholders: Readonly<Record<string, (data: PageData) => unknown>> = {
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

/**
 * A copy of a plain value with its placeholders replaced, except for those that `isLeft`. Unknown data becomes null or
 * an empty list.
 */
export const filled = <A>(value: A, { geoip, watson }: PageData, isLeft?: (name: string) => boolean): A => {
  const data: PageData = { geoip: ownFields(geoip), watson: ownFields(watson) };
  return replaced(value, (name) => (isLeft?.(name) === true ? name : (placeholders[name]?.(data) ?? null)));
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
