import * as t from 'io-ts';
import { combineLatest, concatMap, finalize, ignoreElements, merge, mergeMap, type Observable, switchMap } from 'rxjs';

import { optionsOf } from '../../model/options';
import { partnerKeys } from '../../model/storageKeys';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { adServerCodes, type Codes, type CodeStore, marked, startedOver, storeCodes } from '../adServer/codes';
import { adRequests } from './adRequests';
import type { DfpOptions } from './dfpOptions';
import { fromGoogletag } from './fromGoogletag';
import type { Googletag } from './googletag';
import { clearPageTargeting, setPageTargeting } from './pageTargeting';
import { slotEvents } from './slotEvents';

const googleOrigins = [
  'https://tpc.googlesyndication.com',
  'https://securepubads.g.doubleclick.net',
  'https://googleads.g.doubleclick.net',
];
const dfpCodeStore: CodeStore = { platform: 'dfp', key: partnerKeys.googleAdManager };

/**
 * Google Ad Manager: cohorts as page-level targeting (contract: what partners see), and what its slots show (spec S§3).
 */
export const dfp: Addon<DfpOptions> = {
  name: 'dfp',
  autoInit: true,
  options: optionsOf<DfpOptions>({
    auto_init: [t.boolean, true],
    track_slot_rendered: [t.boolean, true],
    track_slot_viewable: [t.boolean, true],
    track_slot_clicked: [t.boolean, true],
    track_targeting_keys: [t.boolean, false],
    click_origins: [t.readonlyArray(t.string), googleOrigins],
  }),
  run: (streams, options$, deps) =>
    // switchMap: started again, it starts over; targeting set twice is targeting set once.
    options$.pipe(
      switchMap((options) =>
        startedOver(options.auto_init, dfpCodeStore, streams, deps, () => {
          const codes$ = adServerCodes(dfpCodeStore, streams, deps);
          return merge(
            codes$.pipe(storeCodes(dfpCodeStore, deps), ignoreElements()),
            fromGoogletag(streams).pipe(
              isolate('Unable to find google tag script', deps.report),
              mergeMap((googletag) =>
                merge(
                  targeting(googletag, codes$, streams, deps),
                  slotEvents({ googletag, options, deps }, streams),
                  adRequests(googletag, codes$, deps),
                ),
              ),
            ),
          );
        }),
      ),
    ),
};

const targeting = (
  googletag: Googletag,
  codes$: Observable<Codes>,
  streams: AddonStreams,
  deps: AddonDeps,
): Observable<never> =>
  // Another view in the same document has another `prmtvvid`.
  combineLatest([codes$, streams.view$]).pipe(
    concatMap(([codes]) => {
      const { userId, viewId, workspaceId, sdkType } = deps.visitor();
      return setPageTargeting(
        googletag,
        {
          permutive: marked(codes),
          puid: userId,
          ptime: String(deps.now()),
          prmtvsdk: sdkType,
          prmtvvid: viewId,
          prmtvwid: workspaceId,
        },
        deps,
      );
    }),
    // Consent that goes takes the visitor out of the ad requests that follow.
    finalize(() =>
      clearPageTargeting(googletag, ['permutive', 'puid', 'ptime', 'prmtvsdk', 'prmtvvid', 'prmtvwid'], deps),
    ),
  );
