import type { GeoipAnswer } from '../../endpoints/geoip';
import type { WatsonAnswer } from '../../endpoints/watson';
import { ownFields } from '../../hardening/ownFields';
import type { PageContext } from '../../model/pageContext';
import { replaced } from './placeholders';

/** What the servers say of the visitor and of the page; empty parts where they say nothing. */
export interface Answers {
  /** The visitor's place, as the server finds it by the address of the request. */
  readonly geoip: GeoipAnswer;
  /** The content of the page, as the classification service says. */
  readonly watson: WatsonAnswer;
}

/** The answers where nothing is known. */
export const noAnswers: Answers = { geoip: {}, watson: {} };

/** The taxonomy labels of the page with all their prefixes, each once. */
const labels = ({ watson: { taxonomy } }: Answers): readonly string[] => [
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

/** By placeholder, how its field is read (spec C§3). The names are those that `placeholders.ts` recognises. */
export const fields: Readonly<Record<string, (answers: Answers) => unknown>> = {
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
export const filled = <A>(value: A, { geoip, watson }: Answers, isLeft?: (name: string) => boolean): A => {
  const answers: Answers = { geoip: ownFields(geoip), watson: ownFields(watson) };
  return replaced(value, (name) => (isLeft?.(name) === true ? name : (fields[name]?.(answers) ?? null)));
};

/** The place in one flat record without levels, as queries and `permutive.context` read it. */
export const flatGeoip = (geoip: GeoipAnswer): Readonly<Record<string, unknown>> => {
  const { geo_info, isp_info } = ownFields(geoip);
  return { ...isp_info, ...geo_info };
};

/** The answers in the shape of `permutive.context`: the place as a flat record, the content as it was answered. */
export const contextOf = (answers: Partial<Answers>): Pick<PageContext, 'geoip' | 'watson'> => {
  const { geoip, watson } = ownFields(answers);
  return { ...(geoip && { geoip: flatGeoip(geoip) }), ...(watson && { watson }) };
};
