import { combineLatest, concatMap, defer, distinctUntilChanged, EMPTY, ignoreElements, map, merge, startWith, switchMap, tap } from 'rxjs';
import { dequal } from 'dequal/lite';
import type { Googletag } from '../model/googletag';
import { isolate } from '../operators/isolate';
import type { Addon, AddonDeps } from './addon';

/** Where the next page, Prebid and the tag's own snippet find the codes. */
const storedKey = '_pdfps';

/** Google Ad Manager: the visitor's cohorts as page-level targeting, stored for the next page (contract: what partners see). */
export const dfp: Addon<Readonly<Record<string, unknown>>> = {
  name: 'dfp',
  autoInit: true,
  options: (input) => (typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}),
  run: ({ event$, cohorts$, googletag$ }, options$, deps) =>
    // switchMap: started again, it starts over; targeting set twice is targeting set once.
    options$.pipe(
      switchMap(() => {
        const codes$ = cohorts$.pipe(
          map((cohorts) => ({ codes: cohorts.own ? deps.codesFor('dfp', cohorts) : lastPageCodes(deps), own: cohorts.own })),
          distinctUntilChanged<{ readonly codes: readonly string[]; readonly own: boolean }>(dequal),
        );
        // Another view in the same document has another `prmtvvid`.
        const view$ = event$.pipe(
          map(({ view_id }) => view_id),
          startWith(deps.visitor().viewId),
          distinctUntilChanged(),
        );
        return merge(
          codes$.pipe(
            tap(({ codes, own }) => {
              // What is stored already came from the store.
              if (own) store(codes, deps);
            }),
          ),
          combineLatest([codes$, googletag$, view$]).pipe(
            isolate('Unable to find google tag script', deps.report),
            // What Google's tag throws costs this update, not the next.
            concatMap(([{ codes, own }, googletag]) =>
              defer(() => {
                setTargeting(googletag, targeting(own ? [...codes, 'rts'] : codes, deps));
                return EMPTY;
              }).pipe(isolate('DFP failed to set data', deps.report)),
            ),
          ),
        ).pipe(ignoreElements());
      }),
    ),
};

/** The codes of the last page serve the first ad requests of this one. */
const lastPageCodes = ({ readKey }: AddonDeps): readonly string[] => {
  const stored = readKey(storedKey);
  return Array.isArray(stored) ? stored.filter((code) => typeof code === 'string' || typeof code === 'number').map(String) : [];
};

const store = (codes: readonly string[], { writeKey, writeCookie }: AddonDeps): void => {
  writeKey(storedKey, codes);
  writeCookie(storedKey, codes);
};

const targeting = (permutive: readonly string[], { visitor, now }: AddonDeps): Readonly<Record<string, string | readonly string[]>> => {
  const { userId, viewId, workspaceId, sdkType } = visitor();
  return { permutive, puid: userId, ptime: String(now()), prmtvsdk: sdkType, prmtvvid: viewId, prmtvwid: workspaceId };
};

/** The older `setTargeting` where there is one, `setConfig` where that replaced it. */
const setTargeting = (googletag: Googletag, values: Readonly<Record<string, string | readonly string[]>>): void => {
  const pubads = googletag.pubads?.();
  if (typeof pubads?.setTargeting === 'function') for (const [key, value] of Object.entries(values)) pubads.setTargeting(key, value);
  else googletag.setConfig?.({ targeting: values });
};
