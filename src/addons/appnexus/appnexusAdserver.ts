import * as t from 'io-ts';
import {
  concat,
  connect,
  defer,
  filter,
  from,
  fromEventPattern,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  scan,
  switchMap,
  takeWhile,
  tap,
  withLatestFrom,
} from 'rxjs';

import type { EventDraft, Properties } from '../../model/event';
import { optionsOf } from '../../model/options';
import { partnerKeys } from '../../model/storageKeys';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { focusMoments, oneClickEach } from '../adServer/clicks';
import { adServerCodes, type CodeStore, marked, startedOver, storeCodes } from '../adServer/codes';
import { picked } from '../adServer/picked';
import type { Apntag, ApntagOnPage, AppNexusAd } from './apntag';
import { fromApntag } from './fromApntag';
import { setKeywords } from './keywords';

/** What a page or project may give `permutive.addon('appnexus_adserver', …)`. */
export interface AppnexusOptions {
  /** False: the page starts the addon, and another view starts it over. */
  readonly auto_init: boolean;
}

const appnexusCodeStore: CodeStore = { platform: 'appnexus_adserver', key: partnerKeys.appnexus };

/**
 * The AppNexus seller tag: cohorts as the keyword `permutive` of its tags, and its ads and clicks on them (spec S§3).
 */
export const appnexusAdserver: Addon<AppnexusOptions> = {
  name: 'appnexus_adserver',
  autoInit: true,
  options: optionsOf<AppnexusOptions>({ auto_init: [t.boolean, true] }),
  run: (streams, options$, deps) =>
    // switchMap: started again, it starts over.
    options$.pipe(
      switchMap(({ auto_init }) =>
        startedOver(auto_init, appnexusCodeStore, streams, deps, () => {
          const codes$ = adServerCodes(appnexusCodeStore, streams, deps);
          return merge(
            codes$.pipe(storeCodes(appnexusCodeStore, deps), ignoreElements()),
            fromApntag(streams, deps).pipe(
              isolate('Unable to find appnexus tag script', deps.report),
              mergeMap((found) =>
                merge(
                  setKeywords(
                    found,
                    codes$.pipe(map((codes) => ({ permutive: marked(codes) }))),
                    { permutive: [] },
                    deps,
                  ),
                  ads(found, streams, deps),
                ),
              ),
            ),
          );
        }),
      ),
    ),
};

/** Ads that are shown, and clicks on them, as events. */
const ads = (
  { tag, seen }: ApntagOnPage,
  { focusLoss$, activity$ }: AddonStreams,
  deps: AddonDeps,
): Observable<EventDraft> => {
  const loaded$ = concat(
    // What the page's snippet has seen before us; taken once, or a later visit would count it too.
    defer(() => from(seen.splice(0))).pipe(
      mergeMap(({ eventType, arg }) => (eventType === 'adLoaded' && isAd(arg) ? [arg] : [])),
    ),
    fromEventPattern<AppNexusAd>((listener) => tag.onEvent?.('adLoaded', listener)).pipe(
      filter(isAd),
      tap(() => void seen.splice(0)),
    ),
  );
  return loaded$.pipe(
    map((ad) => ({ ad, id: String(ad.targetId), properties: adProperties(ad, tag) })),
    connect((shown$) =>
      merge(
        shown$.pipe(map(({ properties }) => ({ name: 'AppNexusAdImpression', properties }))),
        shown$.pipe(
          tap(({ id }) => {
            if (deps.adIn(id) === undefined) deps.report('Missing element for a click listener', new Error(`#${id}`));
          }),
          // The latest ad of each place.
          scan(
            (places: ReadonlyMap<string, Properties>, { id, properties }) => new Map([...places, [id, properties]]),
            new Map<string, Properties>(),
          ),
          (places$) => adClicks(places$, merge(focusMoments(focusLoss$), activity$), tag, deps),
        ),
      ),
    ),
    isolate('AppNexus tag failed', deps.report),
  );
};

/**
 * A click shows as focus in an ad's frame, or as a click on an ad without one. An ad whose tag is no longer registered
 * ends the listening (spec S§8).
 */
const adClicks = (
  places$: Observable<ReadonlyMap<string, Properties>>,
  moment$: Observable<unknown>,
  tag: Apntag,
  { adIn }: AddonDeps,
): Observable<EventDraft> =>
  moment$.pipe(
    withLatestFrom(places$),
    mergeMap(([moment, places]) => {
      const isClick = (moment as { readonly type?: string } | null)?.type === 'click';
      const clicked = [...places].find(
        ([id]) => (isClick ? adIn(id)?.holds(moment) : moment === 0 && adIn(id)?.hasFocus) === true,
      );
      return clicked === undefined ? [] : [clicked];
    }),
    takeWhile(([id]) => tag.getTag?.()?.[id] !== undefined),
    oneClickEach(([id]) => id),
    map(([, properties]) => ({ name: 'AppNexusAdClick', properties })),
  );

const isAd = (ad: AppNexusAd | null | undefined): ad is AppNexusAd => typeof ad?.targetId === 'string';

/** An ad as its events have it (spec S§3). */
const adProperties = (ad: AppNexusAd, tag: Apntag): Properties => ({
  slot: { ...picked({ ...ad.banner, ...ad }, place), targeting: tag.getTag?.()?.[String(ad.targetId)]?.keywords ?? {} },
  ad: picked(ad, shown),
});

const place = { target_id: 'targetId', tag_id: 'tagId', height: 'height', width: 'width' } as const;
const shown = {
  type: 'adType',
  source: 'source',
  creative_id: 'creativeId',
  auction_id: 'auctionId',
  buyer_member_id: 'buyerMemberId',
  brand_category_id: 'brandCategoryId',
  media_type_id: 'mediaTypeId',
  media_sub_type_id: 'mediaSubtypeId',
} as const;
