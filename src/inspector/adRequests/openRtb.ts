import { isRecord } from '../../codecs/codecs';
import type { SaidEntry } from './adRequest';

/** Keys under which Prebid's module for this SDK names cohorts (its public source, Prebid.js 11.36.0). */
const cohortKeys = ['permutive', 'p_standard', 'p_standard_aud'];
/** The key under which ad servers and bidders are told the visitor's group in an experiment. */
export const groupKey = 'prmtvexp';
/** Names of the lists of segments that the module adds. */
const dataNames = ['permutive', 'permutive.com'];

/**
 * The cohort codes in a bid request in the form of OpenRTB 2: in the lists `user.data`, in `user.ext.data`,
 * `user.keywords`, `site.ext.permutive` and `site.ext.data`.
 */
export const openRtbCodes = (request: unknown): readonly string[] => {
  const user = member(request, 'user');
  const site = member(member(request, 'site'), 'ext');
  return unique([
    ...listOf(member(user, 'data')).flatMap(segments),
    ...keyedCodes(member(member(user, 'ext'), 'data')),
    ...keywordCodes(member(user, 'keywords')),
    ...keyedCodes(member(site, 'permutive')),
    ...keyedCodes(member(site, 'data')),
  ]);
};

/** The group of an experiment in a bid request in the form of OpenRTB 2; empty where it says none. */
export const openRtbGroup = (request: unknown): string =>
  saidGroup(member(member(member(request, 'user'), 'ext'), 'data'));

/** The group of an experiment in an object that has a value, or a list of values, by key; empty where it says none. */
export const saidGroup = (keyed: unknown): string => listOf(member(keyed, groupKey)).map(String)[0] ?? '';

/** The cohort codes in an object that has lists of values by key. */
export const keyedCodes = (keyed: unknown): readonly string[] =>
  cohortKeys.flatMap((key) => listOf(member(keyed, key)).map(String));

/** The cohort codes in keywords such as `permutive=20111,p_standard=1000001`. */
export const keywordCodes = (keywords: unknown): readonly string[] =>
  typeof keywords !== 'string'
    ? []
    : keywords
        .split(',')
        .map((word) => word.trim().split('='))
        .flatMap(([key = '', code = '']) => (cohortKeys.includes(key) && code !== '' ? [code] : []));

/** Codes of one list. Lists of another taxonomy, which `ext.segtax` names, are no cohorts. */
const segments = (data: unknown): readonly string[] =>
  dataNames.includes(String(member(data, 'name'))) && member(member(data, 'ext'), 'segtax') === undefined
    ? listOf(member(data, 'segment')).map((segment) => String(member(segment, 'id')))
    : [];

/**
 * The entries of taxonomies in a bid request in the form of OpenRTB 2: of the visitor in `user.data`, and of the
 * content in `site.content.data`.
 */
export const openRtbEntries = (request: unknown): readonly SaidEntry[] =>
  [member(member(request, 'user'), 'data'), member(member(member(request, 'site'), 'content'), 'data')]
    .flatMap(listOf)
    .flatMap((data) => {
      const segtax = member(member(data, 'ext'), 'segtax');
      const name = member(data, 'name');
      if (typeof segtax !== 'number' && typeof segtax !== 'string') return [];
      return listOf(member(data, 'segment')).map((segment) => ({
        entry: `${segtax}:${String(member(segment, 'id'))}`,
        by: typeof name === 'string' ? name : undefined,
      }));
    });

/** A field of what may be an object. */
export const member = (holder: unknown, name: string): unknown => (isRecord(holder) ? holder[name] : undefined);

/** A list, or one value as a list of it. */
export const listOf = (given: unknown): readonly unknown[] => {
  if (given === undefined || given === null) return [];
  return Array.isArray(given) ? given : [given];
};

export const unique = (codes: readonly string[]): readonly string[] => [
  ...new Set(codes.filter((code) => code !== 'rts')),
];
