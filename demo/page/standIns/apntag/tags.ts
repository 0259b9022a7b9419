import type { Messages } from '../messages';

/** Keywords as pages give them. */
export type Keywords = Readonly<Record<string, string | readonly string[]>>;

/** What a page may say of a tag, as far as the stand-in heeds it. */
export interface TagParams {
  readonly targetId: string;
  /** The placement, by id or by code: one of both is needed. */
  readonly tagId?: number;
  readonly invCode?: string;
  /** Needed here or in the options of the page. */
  readonly member?: number;
  /** Either sizes or a mapping of sizes. */
  readonly sizes?: readonly number[] | readonly (readonly number[])[];
  readonly sizeMapping?: readonly { readonly minWidth: number; readonly sizes: NonNullable<TagParams['sizes']> }[];
  readonly keywords?: Keywords;
  readonly allowedFormats?: readonly string[];
  readonly enableSafeFrame?: boolean;
}

/** What a page may say of all of its tags. */
export interface PageOpts {
  readonly member?: number;
  readonly keywords?: Keywords;
  readonly enableSafeFrame?: boolean;
}

/** A defined tag, as `getTag` gives it. The fields that are made here have their documented names. */
export type Tag = { -readonly [Name in keyof TagParams]: TagParams[Name] } & {
  readonly tagNumber: number;
  readonly uuid: string;
  readonly utDivId: string;
  readonly utiframeId: string;
  /** `showTag` was called. */
  showTagCalled: boolean;
  /** An ad was asked for. */
  utCalled: boolean;
  /** An ad was shown. */
  displayed: boolean;
  readonly initialWidth: number | undefined;
  readonly initialHeight: number | undefined;
};

/** Placements on one page, and key values of one tag, at most. */
const maxTags = 12;
const maxKeywords = 100;

/** The sizes of a tag in this window; undefined where its mapping wants no ad in one so small. */
export const sizesOf = ({
  sizes,
  sizeMapping,
}: Pick<TagParams, 'sizes' | 'sizeMapping'>): readonly (readonly number[])[] | undefined => {
  const fitting = [...(sizeMapping ?? [])]
    .sort((a, b) => b.minWidth - a.minWidth)
    .find(({ minWidth }) => minWidth <= window.innerWidth);
  const given = sizeMapping === undefined ? (sizes ?? []) : fitting?.sizes;
  return given === undefined || given.every(Array.isArray)
    ? (given as readonly (readonly number[])[] | undefined)
    : [given as readonly number[]];
};

/** Why a tag cannot be defined so; undefined where it can. */
export const faultOf = (
  { targetId, tagId, invCode, member, sizes, sizeMapping }: TagParams,
  page: PageOpts,
): string | undefined => {
  if (typeof targetId !== 'string' || targetId === '') return 'A tag needs a targetId';
  if (tagId === undefined && invCode === undefined) return `${targetId} needs a tagId or an invCode`;
  if (member === undefined && page.member === undefined)
    return `${targetId} needs a member, in setPageOpts or in defineTag`;
  if (sizes !== undefined && sizeMapping !== undefined) return `${targetId} has sizes and a sizeMapping`;
  return undefined;
};

export const newTag = (params: TagParams, tagNumber: number, { warn }: Messages): Tag => {
  if (tagNumber >= maxTags) warn(`No more than ${maxTags} placements should be specified per page`);
  const [[initialWidth, initialHeight] = []] = sizesOf(params) ?? [];
  const uuid = crypto.randomUUID();
  return {
    ...params,
    ...(params.keywords && { keywords: { ...params.keywords } }),
    tagNumber,
    uuid,
    utDivId: `div_utif_${params.targetId}`,
    utiframeId: `utif_${params.targetId}_${uuid}`,
    showTagCalled: false,
    utCalled: false,
    displayed: false,
    initialWidth,
    initialHeight,
  };
};

/** Adds values to keywords, or puts them in the place of the former values of the same keys. */
export const withKeywords = (
  { targetId, keywords = {} }: Tag,
  more: Keywords,
  isOverride: boolean,
  { warn }: Messages,
): Keywords => {
  const all = {
    ...keywords,
    ...Object.fromEntries(
      Object.entries(more).map(([key, values]) => [
        key,
        [...(isOverride ? [] : [keywords[key] ?? []].flat()), ...[values].flat()],
      ]),
    ),
  };
  if (Object.keys(all).length > maxKeywords) warn(`${targetId} has more than ${maxKeywords} keywords`);
  return all;
};
