import {
  combineLatest,
  defer,
  distinctUntilChanged,
  finalize,
  ignoreElements,
  map,
  type Observable,
  switchMap,
  tap,
} from 'rxjs';

import { AnyString, DecodeError, readAs, table } from '../../codecs/codecs';
import { ownEntry } from '../../hardening/ownFields';
import type { CohortId } from '../../model/cohort';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { fromGoogletag } from './fromGoogletag';
import type { Googletag, ProvidedSignals } from './googletag';

/** By taxonomy and cohort number, the id of an entry of the taxonomy. */
type SignalTable = Readonly<Record<string, Readonly<Record<CohortId, string>>>>;
const SignalTableCodec = table('pps', table('taxonomy', AnyString));

/**
 * Google Ad Manager: publisher provided signals, by which buyers of all kinds hear of the visitor's cohorts in terms of
 * the IAB (contract: cohort services). The signals are set at each change of cohorts, and cleared when consent goes or
 * the visitor objects to sharing. The table of the project alone says which cohort means what.
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
      switchMap((googletag) => provideSignals(googletag, signalTable(deps), streams, deps)),
    ),
};

/** What the build has put into the addon's options; empty where that is no table. */
const signalTable = ({ configured }: AddonDeps): SignalTable => {
  const signals = readAs(SignalTableCodec, ownEntry(configured, 'pps') ?? {});
  return signals instanceof DecodeError ? {} : signals;
};

/** Keeps the signals up to date. Signals of the page's own are left alone until there are some to set. */
const provideSignals = (
  googletag: Googletag,
  table: SignalTable,
  { cohorts$, sharing$ }: AddonStreams,
  deps: AddonDeps,
): Observable<never> =>
  defer(() => {
    let isSet = false;
    const set = (signals: ProvidedSignals | null): void => {
      if (signals === null && !isSet) return;
      isSet = signals !== null;
      try {
        googletag.setConfig?.({ pps: signals });
      } catch (cause) {
        deps.report('Google failed to set signals', cause);
      }
    };
    return combineLatest([cohorts$, sharing$]).pipe(
      map(([{ members }, mayShare]) => (mayShare ? signalsOf(members, table) : null)),
      distinctUntilChanged((before, now) => signalsText(before) === signalsText(now)),
      tap(set),
      ignoreElements(),
      finalize(() => set(null)),
    );
  });

/** The signals of a visitor in these cohorts, each id once; null where there are none. */
const signalsOf = (members: readonly CohortId[], table: SignalTable): ProvidedSignals | null => {
  const taxonomies = Object.entries(table)
    .map(([taxonomy, ids]) => {
      const values = members.flatMap((id) => ownEntry(ids, id) ?? []);
      return [taxonomy, { values: [...new Set(values)].sort() }] as const;
    })
    .filter(([, { values }]) => values.length > 0);
  return taxonomies.length === 0 ? null : { taxonomies: Object.fromEntries(taxonomies) };
};

/** Equal texts are equal signals. */
const signalsText = (signals: ProvidedSignals | null): string =>
  Object.entries(signals?.taxonomies ?? {})
    .map(([taxonomy, { values }]) => [taxonomy, ...values].join())
    .join(';');
