import {
  combineLatest,
  defer,
  distinctUntilChanged,
  exhaustMap,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  switchMap,
  tap,
} from 'rxjs';

import { AnyRecord } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import { ownEntry } from '../../hardening/ownFields';
import type { CohortId } from '../../model/cohort';
import { localKeys } from '../../model/storageKeys';
import { perform } from '../../operators/creators/perform';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { fromPrebid, prebidEvents } from '../adServer/fromPrebid';
import { callsOf } from '../adServer/onceForTag';
import { dataName, idsOfOthers } from '../adServer/ortb2';
import type { Prebid } from '../adServer/pbjs';
import {
  contentTaxonomies,
  googleTaxonomies,
  keepEntries,
  taxonomyEntries,
  type TaxonomyTable,
  taxonomyTableOf,
} from '../adServer/taxonomies';
import { fromGoogletag } from './fromGoogletag';
import type { Googletag, ProvidedSignals } from './googletag';

/** What a page or project may give `permutive.addon('google_pps', …)`. */
export const ppsOptions = optionsOf({
  /** Signals that the page has set before this addon starts, in the form in which it gives them to Google's tag. */
  page_signals: [AnyRecord, {}],
});

/** By name of the taxonomy, ids of its entries. */
type SignalIds = Readonly<Record<string, readonly string[]>>;

/**
 * Google Ad Manager: publisher provided signals, by which buyers of all kinds hear of the visitor's cohorts in terms of
 * the IAB (contract: cohort services). The signals are set at each change of cohorts, and cleared when consent goes or
 * the visitor objects to sharing. The table of the project alone says which cohort means what.
 *
 * Google's tag replaces all signals when some are set, and does not tell which stand. A page may set some of its own.
 * Prebid's module `gptPreAuction` sets them whenever Prebid hands bids to Google's tag: those of `ortb2` that all
 * auctions have had, and none where there was no bid. So the signals are set again after each call of another script
 * that sets some, and at Prebid's event `setTargeting`, together with those of that call and those that other parties
 * have in `ortb2`. Signals that a page has set before this addon started are known by the option `page_signals` alone.
 *
 * Google's reference, as `@types/google-publisher-tag` 1.20260921 has it, takes ids as texts for each taxonomy,
 * `IAB_AUDIENCE_1_1` or `IAB_CONTENT_2_2`, and clears the setting by null. Extension values are not supported there:
 * https://support.google.com/admanager/answer/15287826. The two pages were read on 2026-11-24.
 */
export const googlePps: Addon<ReturnType<typeof ppsOptions>> = {
  name: 'google_pps',
  autoInit: true,
  options: ppsOptions,
  run: (streams, options$, deps) =>
    options$.pipe(
      // switchMap: a second start replaces the first.
      switchMap(({ page_signals }) => {
        const table = taxonomyTableOf(deps.configured);
        return merge(
          keepEntries(localKeys.googleSignals, namedByGoogle(table), streams, deps),
          fromGoogletag(streams, deps).pipe(
            switchMap((googletag) => provideSignals(googletag, table, page_signals, streams, deps)),
          ),
        );
      }),
    ),
};

/** Keeps the signals up to date. Signals of the page's own are left alone until there are some to set. */
const provideSignals = (
  googletag: Googletag,
  table: TaxonomyTable,
  given: unknown,
  streams: AddonStreams,
  deps: AddonDeps,
): Observable<never> =>
  defer(() => {
    let own: SignalIds = {};
    let ofPage = signalsOfPage(given, table);
    let pbjs: Prebid | undefined;
    let ours = toldByCompanion(deps);
    const set = (): void => {
      if (Object.keys(own).length === 0 && ours === null) return;
      try {
        ours = together([own, ofPage, signalsInPrebid(pbjs?.getConfig?.('ortb2'), dataName(deps.origin()))]);
        googletag.setConfig?.({ pps: ours });
      } catch (cause) {
        deps.report(signalsFailed, cause);
      }
    };
    const changed$ = combineLatest([streams.cohorts$, streams.sharing$]).pipe(
      map(([{ members }, mayShare]) => (mayShare ? signalsOf(members, table) : {})),
      distinctUntilChanged((before, now) => JSON.stringify(before) === JSON.stringify(now)),
      tap((signals) => (own = signals)),
    );
    const written$ = callsOf(googletag, 'setConfig').pipe(
      map(([config]) => (Object(config) as { readonly pps?: unknown }).pps),
      filter((pps) => pps !== undefined && pps !== ours),
      tap((pps) => (ofPage = signalsOfPage(pps, table))),
      isolate(signalsFailed, deps.report),
      // exhaustMap: two scripts that each replace what the other sets would go on forever.
      exhaustMap(() => perform(set)),
    );
    const handedOver$ = fromPrebid(streams, deps, () => undefined).pipe(
      tap((found) => (pbjs = found)),
      switchMap((found) => prebidEvents(found, 'setTargeting')),
    );
    return merge(written$, merge(changed$, handedOver$).pipe(tap(set), ignoreElements())).pipe(
      finalize(() => {
        own = {};
        set();
      }),
    );
  });

/** The signals that the page's companion has set, before this addon has started. */
const toldByCompanion = ({ global }: AddonDeps): ProvidedSignals | null =>
  ownEntry(Object(global('__permutive')) as Readonly<Record<string, ProvidedSignals | null>>, 'pps') ?? null;

const signalsFailed = 'Google failed to set signals';

/** For each taxonomy that Google's tag takes, the ids that `idsOf` finds; taxonomies without any are left out. */
const signalsBy = (idsOf: (name: string, segtax: number) => readonly string[]): SignalIds =>
  Object.fromEntries(
    Object.entries(googleTaxonomies)
      .map(([name, segtax]) => [name, idsOf(name, segtax)] as const)
      .filter(([, ids]) => ids.length > 0),
  );

/** The table by the names that Google's tag has for its taxonomies. */
const namedByGoogle = (table: TaxonomyTable): TaxonomyTable =>
  Object.fromEntries(
    Object.entries(googleTaxonomies).map(([name, segtax]) => [name, ownEntry(table, String(segtax)) ?? {}]),
  );

/** The signals of a visitor in these cohorts, each id once. */
const signalsOf = (members: readonly CohortId[], table: TaxonomyTable): SignalIds =>
  signalsBy((_, segtax) => taxonomyEntries(members, ownEntry(table, String(segtax)) ?? {}));

/**
 * The signals that the page has set. Prebid's module sets those of cohorts too, as `ortb2` had them at its auctions,
 * and perhaps of another visitor. So all that a cohort of the table can mean is left out.
 */
const signalsOfPage = (pps: unknown, table: TaxonomyTable): SignalIds => {
  const { taxonomies } = Object(pps) as { readonly taxonomies?: unknown };
  return signalsBy((name, segtax) => {
    const { values } = Object(ownEntry(Object(taxonomies) as Readonly<Record<string, unknown>>, name)) as {
      readonly values?: unknown;
    };
    const ofCohorts = new Set(Object.values(ownEntry(table, String(segtax)) ?? {}).flat());
    return [values].flat().filter((id): id is string => typeof id === 'string' && !ofCohorts.has(id));
  });
};

/** The signals that others than this site have given Prebid. */
const signalsInPrebid = (ortb2: unknown, site: string): SignalIds =>
  signalsBy((_, segtax) =>
    idsOfOthers(ortb2, contentTaxonomies.includes(String(segtax)) ? 'content' : 'user', segtax, site),
  );

/** All of these signals, each id once, sorted; null where there are none. */
const together = (all: readonly SignalIds[]): ProvidedSignals | null => {
  const signals = signalsBy((name) => [...new Set(all.flatMap((each) => each[name] ?? []))].sort());
  const taxonomies = Object.entries(signals).map(([name, values]) => [name, { values }] as const);
  return taxonomies.length === 0 ? null : { taxonomies: Object.fromEntries(taxonomies) };
};
