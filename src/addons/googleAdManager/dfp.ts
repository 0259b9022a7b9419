import {
  defer,
  finalize,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  switchMap,
  takeUntil,
} from 'rxjs';

import { partnerKeys } from '../../model/storageKeys';
import { scoped } from '../../operators/creators/scoped';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { adServerCodes, type Codes, type CodeStore, marked, startedOver, storeCodes } from '../adServer/codes';
import { adRequests } from './adRequests';
import { type DfpOptions, dfpOptions } from './dfpOptions';
import { fromGoogletag } from './fromGoogletag';
import type { Googletag } from './googletag';
import { clearPageTargeting, keepPageTargeting } from './pageTargeting';
import { type LoadClicks, slotEvents } from './slotEvents';

/** Codes come from the platform `dfp` and are kept under `_pdfps`. */
const dfpCodeStore: CodeStore = { platform: 'dfp', key: partnerKeys.googleAdManager };

/** Loads the code for clicks with the deferred chunk, from which clicks come. */
const loadSlotClicks: LoadClicks = () =>
  defer(() => from(import(/* webpackChunkName: "deferred" */ './slotClicks'))).pipe(map((chunk) => chunk.slotClicks));

/**
 * Google Ad Manager: sets the visitor's cohort codes and ids as page-level targeting (contract: what partners see),
 * stores the codes for the next page, and tracks what the slots show (spec S§3, S§4). The codes are stored whether
 * Google's tag appears or not. `loadClicks` gets the code that recognises clicks; tests pass their own.
 */
export const dfpWith = (loadClicks: LoadClicks): Addon<DfpOptions> => ({
  name: 'dfp',
  autoInit: true,
  options: dfpOptions,
  run: (streams, options$, deps) =>
    // switchMap: another start replaces the one before. Targeting that is set twice is the same as targeting set once.
    options$.pipe(
      switchMap((options) =>
        startedOver(options.auto_init, dfpCodeStore, streams, deps, () => {
          const codes$ = adServerCodes(dfpCodeStore, streams, deps);
          return merge(
            codes$.pipe(storeCodes(dfpCodeStore, deps), ignoreElements()),
            fromGoogletag(streams, deps).pipe(
              mergeMap((googletag) =>
                merge(
                  targeting(googletag, codes$, streams, deps),
                  slotEvents({ googletag, options, deps }, streams, loadClicks),
                  adRequests(googletag, codes$, deps),
                ),
              ),
            ),
          );
        }),
      ),
    ),
});

/** The addon `dfp` as projects use it. */
export const dfp = dfpWith(loadSlotClicks);

/**
 * Keeps the page-level targeting up to date: cohorts (`permutive`), ids of user, view and workspace (`puid`,
 * `prmtvvid`, `prmtvwid`), time of the update (`ptime`, ms since 1970), kind of SDK (`prmtvsdk`), and the group where
 * the project has an experiment (`prmtvexp`).
 */
const targeting = (
  googletag: Googletag,
  codes$: Observable<Codes>,
  streams: AddonStreams,
  deps: AddonDeps,
): Observable<never> =>
  scoped((stop$) =>
    // The view is read too, because another view in the same document has another `prmtvvid`.
    streams.view$.pipe(
      switchMap(() => codes$),
      switchMap((codes) => {
        const { viewId, workspaceId, sdkType } = deps.visitor();
        const values = {
          permutive: marked(codes),
          puid: codes.userId,
          ptime: String(deps.now()),
          prmtvsdk: sdkType,
          prmtvvid: viewId,
          prmtvwid: workspaceId,
          ...(codes.group && { prmtvexp: codes.group }),
        };
        // The addon's own clearing, which follows, is not to be taken for the page's.
        return keepPageTargeting(googletag, values, deps).pipe(takeUntil(stop$));
      }),
    ),
  ).pipe(
    // When consent is withdrawn, the ad requests that follow must not carry anything of the visitor.
    finalize(() =>
      clearPageTargeting(
        googletag,
        ['permutive', 'puid', 'ptime', 'prmtvsdk', 'prmtvvid', 'prmtvwid', 'prmtvexp'],
        deps,
      ),
    ),
  );
