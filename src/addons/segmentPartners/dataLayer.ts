import { dequal } from 'dequal/lite';
import {
  combineLatest,
  defer,
  distinctUntilChanged,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  switchMap,
  take,
  tap,
} from 'rxjs';

import { AnyString } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import { partnerConsent } from '../../consent/partnerConsent';
import { type Activation, appliesIn, isForMembers } from '../../model/activation';
import type { Cohorts } from '../../model/cohorts';
import { poll } from '../../operators/creators/poll';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { byNeeds, isolateReach, partnerFields, segmentOf, segmentPartner } from './segmentPartner';

/** What a project or page may give `permutive.addon('data_layer', …)`. */
export const dataLayerOptions = optionsOf({
  ...partnerFields,
  /** Name of the global that the data layer is, where the page has renamed it. */
  data_layer_name: [AnyString, 'dataLayer'],
});
export type DataLayerOptions = ReturnType<typeof dataLayerOptions>;

/** A message to the tag manager. A message without `event` fires no trigger. */
interface DataLayerMessage {
  readonly event?: 'permutive_cohorts' | 'permutive_cohort_entry' | 'permutive_cohort_exit';
  /** The segments that the visitor is in, each between two commas: `,money,savings,`; empty where there is none. */
  readonly permutive_cohorts?: string;
  /** The segment that the visitor has entered or left. */
  readonly permutive_cohort?: string;
}

/** The page's data layer. A tag manager that has loaded puts a `push` of its own there. */
interface DataLayer {
  readonly push: (message: DataLayerMessage) => unknown;
}

const addonName = 'data_layer';

/** Waits 50 ms, then twice as long each time, 204.75 s in all, because some pages load their tag manager late. */
const dataLayerWait = { everyMs: 50, factor: 2, times: 13 };

/**
 * Tells the page's tag manager of segments, by its data layer. In each view, and at each change, the
 * event `permutive_cohorts` has the list of all segments. An entry and an exit are told once, as partners are told of
 * them, by the events `permutive_cohort_entry` and `permutive_cohort_exit`. When consent goes or the visitor objects to
 * sharing, the list is emptied by a message without an event.
 *
 * The list is a text, because Google Tag Manager merges lists by index, so that a shorter list would keep the end of a
 * longer one: https://github.com/google/data-layer-helper, read on 2026-11-29.
 */
export const dataLayer: Addon<DataLayerOptions> = {
  name: addonName,
  autoInit: true,
  options: dataLayerOptions,
  run: (streams, options$, deps) =>
    options$.pipe(
      // A second start changes nothing, because the first goes on.
      take(1),
      filter(() => deps.activations.length > 0),
      switchMap((options) => {
        const current = (): DataLayer | undefined => dataLayerOf(deps.global(options.data_layer_name));
        return poll(current, dataLayerWait).pipe(
          isolateReach(addonName, deps.report),
          switchMap((found) => {
            const push = (message: DataLayerMessage): unknown => (current() ?? found).push(message);
            return merge(
              // The list goes first, so that it is there when a trigger of an entry reads it.
              keepList(push, options, streams, deps),
              tellChanges(push).run(streams, of(options), deps),
            );
          }),
        );
      }),
    ),
};

/** Tells of each entry and each exit by an event of its own. */
const tellChanges = (push: DataLayer['push']): Addon<DataLayerOptions> =>
  segmentPartner({
    name: addonName,
    options: dataLayerOptions,
    reach: () =>
      of(({ entered, segment }) => {
        push({ event: entered ? 'permutive_cohort_entry' : 'permutive_cohort_exit', permutive_cohort: segment });
        return of(true);
      }),
  });

/** Keeps the list of the data layer up to date, as far as the data layer may be told of the visitor. */
const keepList = (
  push: DataLayer['push'],
  options: DataLayerOptions,
  streams: AddonStreams,
  deps: AddonDeps,
): Observable<never> =>
  defer(() => {
    let told = '';
    /** Undefined: the visitor's segments are not known, or may not be told. */
    const tell = (list: string | undefined): void => {
      if (list === undefined && told === '') return;
      told = list ?? '';
      try {
        push({ ...(list !== undefined && { event: 'permutive_cohorts' }), permutive_cohorts: told });
      } catch (cause) {
        deps.report(`Failed to tell ${addonName} of a segment`, cause);
      }
    };
    return permittedActivations(options, streams, deps).pipe(
      switchMap((activations) => (activations.length === 0 ? of(undefined) : listInViews(activations, streams, deps))),
      tap(tell),
      finalize(() => tell(undefined)),
      ignoreElements(),
    );
  });

/** State: the activations of which the data layer may be told. */
const permittedActivations = (
  options: DataLayerOptions,
  streams: AddonStreams,
  { activations }: AddonDeps,
): Observable<readonly Activation[]> =>
  combineLatest(
    byNeeds(activations.filter(isForMembers), options).map((group) =>
      partnerConsent(streams, group.needs).pipe(map(({ isGiven }) => (isGiven ? group.activations : []))),
    ),
  ).pipe(
    map((permitted) => permitted.flat()),
    // An answer of the consent platform may repeat the one before.
    distinctUntilChanged<readonly Activation[]>(dequal),
  );

/** State: the list of these activations; anew in each view, and undefined until this page has evaluated the cohorts. */
const listInViews = (
  activations: readonly Activation[],
  { cohorts$, view$ }: AddonStreams,
  deps: AddonDeps,
): Observable<string | undefined> =>
  view$.pipe(
    distinctUntilChanged(),
    switchMap(() =>
      cohorts$.pipe(
        map((cohorts) => (cohorts.isRealtime ? listOfSegments(activations, cohorts, deps) : undefined)),
        distinctUntilChanged(),
      ),
    ),
  );

const listOfSegments = (activations: readonly Activation[], { members }: Cohorts, deps: AddonDeps): string => {
  const context = deps.context();
  const due = activations.filter((each) => members.includes(String(each.sc)) && appliesIn(each, context));
  const segments = new Set(due.map((activation) => segmentOf(activation, deps)));
  return segments.size === 0 ? '' : `,${[...segments].join()},`;
};

/** The data layer; undefined where the page has something else of that name, or nothing. */
const dataLayerOf = (global: unknown): DataLayer | undefined =>
  typeof (global as Partial<DataLayer> | null | undefined)?.push === 'function' ? (global as DataLayer) : undefined;
