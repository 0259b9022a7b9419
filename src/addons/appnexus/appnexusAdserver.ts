import {
  concat,
  connect,
  defer,
  filter,
  from,
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

import { AnyBoolean } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import type { EventDraft, Properties } from '../../model/event';
import { partnerKeys } from '../../model/storageKeys';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { focusMoments, oneClickEach } from '../adServer/clicks';
import { adServerCodes, type Codes, type CodeStore, marked, startedOver, storeCodes } from '../adServer/codes';
import { picked } from '../adServer/picked';
import { adEvents } from './adEvents';
import type { Apntag, ApntagOnPage, AppNexusAd } from './apntag';
import { fromApntag } from './fromApntag';
import { type Keywords, setKeywords } from './keywords';

/** What a page or project may give `permutive.addon('appnexus_adserver', …)`. */
const options = optionsOf({
  /** False: the page starts the addon, and another view starts it over. */
  auto_init: [AnyBoolean, true],
});

/** Codes come from the platform `appnexus_adserver` and are kept under `_papns`. */
const appnexusCodeStore: CodeStore = { platform: 'appnexus_adserver', key: partnerKeys.appnexus };

/**
 * The AppNexus seller tag: sets what an ad request tells of the visitor as keywords of its tags (spec S§7), stores the
 * cohort codes for the next page, and tracks the tag's ads and the clicks on them (spec S§3).
 */
export const appnexusAdserver: Addon<ReturnType<typeof options>> = {
  name: 'appnexus_adserver',
  autoInit: true,
  options,
  run: (streams, options$, deps) =>
    // switchMap: another start replaces the one before.
    options$.pipe(
      switchMap(({ auto_init }) =>
        startedOver(auto_init, appnexusCodeStore, streams, deps, () => {
          const codes$ = adServerCodes(appnexusCodeStore, streams, deps);
          return merge(
            codes$.pipe(storeCodes(appnexusCodeStore, deps), ignoreElements()),
            fromApntag(streams, deps).pipe(
              mergeMap((found) =>
                merge(
                  setKeywords(found, codes$.pipe(map(keywordsWith(deps))), withoutVisitor, deps),
                  ads(found, streams, deps),
                ),
              ),
            ),
          );
        }),
      ),
    ),
};

/**
 * The keywords that tell of the visitor: cohorts (`permutive`), id of the user (`puid`), time of the update (`ptime`,
 * ms since 1970), kind of SDK (`prmtvsdk`), and the group where the project has an experiment (`prmtvexp`).
 */
const keywordsWith =
  ({ now, visitor }: AddonDeps) =>
  (codes: Codes): Keywords => ({
    permutive: marked(codes),
    puid: [codes.userId],
    ptime: [String(now())],
    prmtvsdk: [visitor().sdkType],
    ...(codes.group && { prmtvexp: [codes.group] }),
  });
/** When consent is withdrawn, the ad requests that follow must not carry anything of the visitor. */
const withoutVisitor: Keywords = { permutive: [], puid: [], ptime: [], prmtvsdk: [], prmtvexp: [] };

/**
 * Tracks AppNexusAdImpression for each ad that the tag has loaded, and AppNexusAdClick for clicks on it. An error of
 * the tag ends both, after a report.
 */
const ads = (
  { tag, seen }: ApntagOnPage,
  { focusLoss$, activity$ }: AddonStreams,
  deps: AddonDeps,
): Observable<EventDraft> => {
  const loaded$ = concat(
    // Ads that the page's snippet saw before the addon. The list is emptied, because a later visit on this page would
    // count them again.
    defer(() => from(seen.splice(0))).pipe(
      mergeMap(({ eventType, arg }) => (eventType === 'adLoaded' && isAd(arg) ? [arg] : [])),
    ),
    adEvents(tag, 'adLoaded').pipe(
      filter(isAd),
      // The snippet may record the same ad in its list, which would count again in a later visit.
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
          // The latest ad of each element: a refreshed place shows another ad, and a click belongs to that one.
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
 * A click is recognised in two ways: the focus moves into the frame of an ad, or a click event happens on an ad that
 * has no frame. A click on an ad whose tag is not registered with the seller tag ends the listening (spec S§8).
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
      // `focusMoments` emits 0; activity emits DOM events, of which only clicks count.
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

/** Whether an ad names its element, without which it cannot be attributed to a place. */
const isAd = (ad: AppNexusAd | null | undefined): ad is AppNexusAd => typeof ad?.targetId === 'string';

/** An ad in the shape of its events (spec S§3), with the keywords that its tag has at this moment. */
const adProperties = (ad: AppNexusAd, tag: Apntag): Properties => ({
  slot: { ...picked({ ...ad.banner, ...ad }, place), targeting: tag.getTag?.()?.[String(ad.targetId)]?.keywords ?? {} },
  ad: picked(ad, shownFields),
});

/** Properties of the place in our events, and the seller tag's names for them. */
const place = { target_id: 'targetId', tag_id: 'tagId', height: 'height', width: 'width' } as const;
/** Properties of the ad in our events, and the seller tag's names for them. */
const shownFields = {
  type: 'adType',
  source: 'source',
  creative_id: 'creativeId',
  auction_id: 'auctionId',
  buyer_member_id: 'buyerMemberId',
  brand_category_id: 'brandCategoryId',
  media_type_id: 'mediaTypeId',
  media_sub_type_id: 'mediaSubtypeId',
} as const;
