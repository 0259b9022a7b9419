import { isRecord } from '../../codecs/codecs';
import type { ExperimentGroup } from '../../model/cohort';
import { siteName } from '../../primitives/domain';
import { fold } from '../../primitives/lists';

/** One list of segments in OpenRTB: who says so, in which taxonomy, and the ids of its entries. */
export interface DataEntry {
  readonly name: string;
  readonly ext: { readonly segtax: number };
  readonly segment: readonly { readonly id: string }[];
}

/** What a bid request says of the visitor, and of the content of the page. */
export interface FirstPartyData {
  readonly user: readonly DataEntry[];
  readonly content: readonly DataEntry[];
  /** The visitor's group, where the project has an experiment. */
  readonly group: ExperimentGroup | undefined;
}

/** Where lists of segments are in `ortb2`. */
const places = {
  user: ['user', 'data'],
  content: ['site', 'content', 'data'],
} as const;
/** Where bidders find what a publisher says of a visitor (`user.ext.data`), and there the group. */
const groupPlace = ['user', 'ext', 'data', 'prmtvexp'];

type Lists = readonly Readonly<Record<string, unknown>>[];

const entryAt = (holder: unknown, path: readonly string[]): unknown =>
  fold(path, holder, (at, key) => (isRecord(at) ? at[key] : undefined));

const listsAt = (holder: unknown, path: readonly string[]): Lists => {
  const value = entryAt(holder, path);
  return Array.isArray(value) ? value.filter(isRecord) : [];
};

/** The holder with this value at the path. For an empty list and for undefined, no field is added to it. */
const withValue = (
  holder: unknown,
  [key = '', ...rest]: readonly string[],
  value: Lists | string | undefined,
): object => {
  const fields = isRecord(holder) ? holder : {};
  if ((value === undefined || value.length === 0) && !(key in fields)) return fields;
  return { ...fields, [key]: rest.length === 0 ? value : withValue(fields[key], rest, value) };
};

/** The data of ours that `ortb2` has. */
export const dataWhere = (ortb2: unknown, isOurs: (list: Lists[number]) => boolean): FirstPartyData => {
  const own = (part: keyof typeof places): Lists => listsAt(ortb2, places[part]).filter(isOurs);
  return { user: own('user'), content: own('content'), group: entryAt(ortb2, groupPlace) } as unknown as FirstPartyData;
};

/**
 * `ortb2` with these data of ours, in the place of those before. `isOurs` tells the lists that are replaced; all else
 * stays, in its order.
 */
export const withData = (ortb2: unknown, data: FirstPartyData, isOurs: (list: Lists[number]) => boolean): object =>
  fold(['user', 'content'] as const, withValue(ortb2, groupPlace, data.group), (all: object, part) => {
    const others = listsAt(all, places[part]).filter((list) => !isOurs(list));
    return withValue(all, places[part], [...others, ...(data[part] as unknown as Lists)]);
  });

/** The name of the data of a page of this origin. */
export const dataName = (origin: string): string => siteName(new URL(origin).hostname);

/** The ids that other parties than `own` have put into `ortb2` in one taxonomy, of visitor or content. */
export const idsOfOthers = (
  ortb2: unknown,
  part: keyof typeof places,
  segtax: number,
  own: string,
): readonly string[] =>
  listsAt(ortb2, places[part])
    .filter(({ name, ext }) => name !== own && isRecord(ext) && ext['segtax'] === segtax)
    .flatMap(({ segment }) => (Array.isArray(segment) ? (segment as unknown[]) : []))
    .flatMap((each) => (isRecord(each) && typeof each['id'] === 'string' ? [each['id']] : []));
