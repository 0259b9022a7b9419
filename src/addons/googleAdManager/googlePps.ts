import {
  combineLatest,
  defer,
  distinctUntilChanged,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  switchMap,
  tap,
} from 'rxjs';

import { ownEntry } from '../../hardening/ownFields';
import type { CohortId } from '../../model/cohort';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { fromPrebid, prebidEvents } from '../adServer/fromPrebid';
import { dataName, idsOfOthers } from '../adServer/ortb2';
import type { Prebid } from '../adServer/pbjs';
import {
  contentTaxonomies,
  googleTaxonomies,
  taxonomyEntries,
  type TaxonomyTable,
  taxonomyTableOf,
} from '../adServer/taxonomies';
import { fromGoogletag } from './fromGoogletag';
import type { Googletag, ProvidedSignals } from './googletag';

/** By name of the taxonomy, ids of its entries. */
type SignalIds = Readonly<Record<string, readonly string[]>>;

/**
 * Google Ad Manager: publisher provided signals, by which buyers of all kinds hear of the visitor's cohorts in terms of
 * the IAB (contract: cohort services). The signals are set at each change of cohorts, and cleared when consent goes or
 * the visitor objects to sharing. The table of the project alone says which cohort means what.
 *
 * Prebid's module `gptPreAuction` sets the same signals anew whenever Prebid hands bids to Google's tag: those of
 * `ortb2` that all auctions have had, and none where there was no bid. Google's tag does not tell which signals stand.
 * So the signals are set again at Prebid's event `setTargeting`, which follows in the same task, together with those
 * that other parties have in `ortb2`.
 *
 * Google's reference, as `@types/google-publisher-tag` 1.20260921 has it, takes ids as texts for each taxonomy,
 * `IAB_AUDIENCE_1_1` or `IAB_CONTENT_2_2`, and clears the setting by null. Extension values are not supported there:
 * https://support.google.com/admanager/answer/15287826. The two pages were read on 2026-11-24.
 */
export const googlePps: Addon<unknown> = {
  name: 'google_pps',
  autoInit: true,
  options: (input) => input,
  run: (streams, options$, deps) =>
    options$.pipe(
      // switchMap: a second start replaces the first.
      switchMap(() => fromGoogletag(streams, deps)),
      switchMap((googletag) => provideSignals(googletag, streams, deps)),
    ),
};

/** Keeps the signals up to date. Signals of the page's own are left alone until there are some to set. */
const provideSignals = (googletag: Googletag, streams: AddonStreams, deps: AddonDeps): Observable<never> =>
  defer(() => {
    const table = taxonomyTableOf(deps.configured);
    let isSet = false;
    let own: SignalIds = {};
    let pbjs: Prebid | undefined;
    const set = (): void => {
      if (Object.keys(own).length === 0 && !isSet) return;
      try {
        const signals = withOthers(own, pbjs?.getConfig?.('ortb2'), dataName(deps.origin()));
        isSet = signals !== null;
        googletag.setConfig?.({ pps: signals });
      } catch (cause) {
        deps.report('Google failed to set signals', cause);
      }
    };
    const changed$ = combineLatest([streams.cohorts$, streams.sharing$]).pipe(
      map(([{ members }, mayShare]) => (mayShare ? signalsOf(members, table) : {})),
      distinctUntilChanged((before, now) => JSON.stringify(before) === JSON.stringify(now)),
      tap((signals) => (own = signals)),
    );
    const overwritten$ = fromPrebid(streams, deps, () => undefined).pipe(
      tap((found) => (pbjs = found)),
      switchMap((found) => prebidEvents(found, 'setTargeting')),
    );
    return merge(changed$, overwritten$).pipe(
      tap(set),
      ignoreElements(),
      finalize(() => {
        own = {};
        set();
      }),
    );
  });

/** The signals of a visitor in these cohorts, each id once. */
const signalsOf = (members: readonly CohortId[], table: TaxonomyTable): SignalIds =>
  Object.fromEntries(
    Object.entries(googleTaxonomies)
      .map(([name, segtax]) => [name, taxonomyEntries(members, ownEntry(table, String(segtax)) ?? {})] as const)
      .filter(([, ids]) => ids.length > 0),
  );

/** These signals, and those that others than this site have given Prebid; null where there are none. */
const withOthers = (own: SignalIds, ortb2: unknown, site: string): ProvidedSignals | null => {
  const all = Object.entries(googleTaxonomies)
    .map(([name, segtax]) => {
      const part = contentTaxonomies.includes(String(segtax)) ? 'content' : 'user';
      const values = new Set([...(own[name] ?? []), ...idsOfOthers(ortb2, part, segtax, site)]);
      return [name, { values: [...values].sort() }] as const;
    })
    .filter(([, { values }]) => values.length > 0);
  return all.length === 0 ? null : { taxonomies: Object.fromEntries(all) };
};
