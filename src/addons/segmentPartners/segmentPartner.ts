import { dequal } from 'dequal/lite';
import {
  defer,
  EMPTY,
  map,
  merge,
  mergeMap,
  type MonoTypeOperatorFunction,
  type Observable,
  switchMap,
  take,
  withLatestFrom,
} from 'rxjs';

import { value } from '../../codecs/codecs';
import type { OptionsOf } from '../../codecs/options';
import { partnerConsent, type PartnerNeeds } from '../../consent/partnerConsent';
import { ownFields } from '../../hardening/ownFields';
import { type Activation, reaction } from '../../model/activation';
import type { Cohorts } from '../../model/cohorts';
import type { EventDraft } from '../../model/event';
import { type Report, reportOnce } from '../../model/report';
import { Purposes, type Tcf } from '../../model/tcf';
import { exhaustLatest } from '../../operators/exhaustLatest';
import { isolate } from '../../operators/isolate';
import { purposesOf } from '../activations/consentedActivations';
import { evaluatedCohorts } from '../activations/evaluatedCohorts';
import { onceRequested } from '../activations/onceRequested';
import {
  compareMemberships,
  type MembershipChange,
  type MembershipComparison,
  toldMemberships,
  wants,
  withoutChange,
} from '../activations/toldMemberships';
import type { Addon, AddonDeps, AddonStreams } from '../addon';

/** Options that every partner of this folder takes. */
export const partnerFields = {
  /** TCF vendor whose consent is needed; undefined: that of the partner, if it is a vendor of the list. */
  tcf_vendor_id: [value<number>('a vendor id', (input) => Number.isInteger(input)), undefined],
  /** Purposes of the TCF that the partner needs for activations that name none; undefined: 1, 3 and 4. */
  tcf_purposes: [Purposes, undefined],
} as const;
export type PartnerOptions = OptionsOf<typeof partnerFields>;

/** One entry or exit that a partner is told of. */
export interface Signal extends MembershipChange {
  /** The segment as the partner knows it: `segment` of the activation, else the code of the cohort. */
  readonly segment: string;
  /** As `segment`, for all activations of the partner whose cohorts the visitor is in. */
  readonly segments: readonly string[];
  /** What the consent platform says; undefined for a partner that needs no consent of it. */
  readonly tcf: Tcf | undefined;
}

/**
 * Tells a partner of one signal at once. Emits once whether the partner was told. May throw, because what it calls may
 * belong to the page.
 */
export type TellPartner = (signal: Signal) => Observable<boolean>;

/** What makes a partner an addon. */
export interface SegmentPartner<Options extends PartnerOptions> extends Pick<Addon<Options>, 'name' | 'options'> {
  /** Default: true. */
  readonly autoInit?: boolean;
  /** Name of the note that keeps what the partner was told (spec C§3). Default: `addon:` and the name. */
  readonly note?: string;
  /** Id in the TCF vendor list; undefined where the partner is not in it. */
  readonly vendorId?: number;
  /**
   * Emits the function that tells the partner, as soon as the partner can be told. Errors where it cannot be told on
   * this page; what is due then stays due. The stream is subscribed to only where there is a change to tell.
   */
  readonly reach: (options: Options, deps: AddonDeps) => Observable<TellPartner>;
}

/**
 * Makes an addon that tells a partner of segments (spec S§4): on a first run of the cohorts that the visitor is in, and
 * then of each entry and each exit. A note remembers for each activation what was told. A change that could not be
 * told, because consent or the partner's function was missing or a criterion did not hold, is told as soon as it can
 * be. An impression is tracked for each activation that is told.
 */
export const segmentPartner = <Options extends PartnerOptions>(partner: SegmentPartner<Options>): Addon<Options> => {
  const { name, options, autoInit = true, note = `addon:${name}`, vendorId, reach } = ownFields(partner);
  return {
    name,
    autoInit,
    options,
    run: (streams, options$, deps) =>
      options$.pipe(
        // A second start changes nothing, because the first has told everything.
        take(1),
        switchMap((given) => {
          // Once: a partner that is missing on this page is looked for again at each change of cohorts.
          const reportFirst = reportOnce(deps.report);
          return merge(
            ...byNeeds(deps.activations, given, vendorId).map(({ needs, activations }) => {
              const own = { ...deps, activations };
              return tellConsented({ name, note, needs, partner$: reach(given, own), reportFirst }, streams, own);
            }),
          );
        }),
      ),
  };
};

/** Activations of a partner, by what they need the visitor's consent for. */
export const byNeeds = (
  all: readonly Activation[],
  { tcf_vendor_id, tcf_purposes }: PartnerOptions,
  vendorId?: number,
): readonly { readonly needs: PartnerNeeds; readonly activations: readonly Activation[] }[] => {
  const groups = new Map<string, { readonly needs: PartnerNeeds; readonly activations: Activation[] }>();
  for (const activation of all) {
    const purposes = purposesOf(activation, tcf_purposes);
    const group = groups.get(String(purposes)) ?? {
      needs: { vendorId: tcf_vendor_id ?? vendorId, purposes },
      activations: [],
    };
    group.activations.push(activation);
    groups.set(String(purposes), group);
  }
  return [...groups.values()];
};

/** A partner on one page, and where it is remembered what the partner was told. */
interface PartnerOnPage {
  /** The partner's name. */
  readonly name: string;
  readonly note: string;
  readonly needs: PartnerNeeds;
  readonly partner$: Observable<TellPartner>;
  /** Reports that the partner cannot be reached, the first time. */
  readonly reportFirst: Report;
}

/** What a partner is told now. */
interface Telling extends Pick<PartnerOnPage, 'name' | 'note'>, Pick<Signal, 'tcf'>, Pick<AddonStreams, 'pageExit$'> {
  readonly tell: TellPartner;
  readonly members: readonly string[];
}

/** Tells the partner of the activations of `deps`, while it may be told of the visitor. */
const tellConsented = (partner: PartnerOnPage, streams: AddonStreams, deps: AddonDeps): Observable<EventDraft> => {
  const { name, note, needs, reportFirst } = partner;
  const { pageExit$ } = streams;
  const cohorts$ = evaluatedCohorts(streams);
  return partnerConsent(streams, needs).pipe(
    // switchMap: consent that is withdrawn ends the wait for the partner.
    switchMap(({ isGiven, tcf }) =>
      isGiven ? whenDue(partner, cohorts$, deps).pipe(map((tell) => ({ tell, tcf }))) : EMPTY,
    ),
    // Compared anew, because cohorts have changed or another tab has told the partner in the meantime.
    withLatestFrom(cohorts$),
    // mergeMap: nobody waits until the partner has answered, and a new answer of the consent platform ends no request.
    mergeMap(([{ tell, tcf }, { members }]) =>
      defer(() => tellAll({ name, note, tell, tcf, members, pageExit$ }, deps)).pipe(isolateReach(name, reportFirst)),
    ),
  );
};

/** A partner that cannot be reached is reported, and what is due stays due. */
export const isolateReach = <T>(name: string, report: Report): MonoTypeOperatorFunction<T> =>
  isolate(`Failed to reach ${name}`, report);

/**
 * Emits the function that tells the partner when there is something that the partner does not know yet, at each change
 * of cohorts and in each view. The addon waits for the partner only then.
 */
const whenDue = (
  { name, note, partner$, reportFirst }: PartnerOnPage,
  cohorts$: Observable<Cohorts>,
  deps: AddonDeps,
): Observable<TellPartner> =>
  cohorts$.pipe(
    // exhaustLatest: other cohorts do not begin the wait anew.
    exhaustLatest(({ members }) =>
      defer(() => {
        const comparison = compareToNote(note, members, deps);
        if (dueOf(comparison).length > 0) return partner$;
        rememberChange(comparison, note, deps);
        return EMPTY;
      }).pipe(isolateReach(name, reportFirst)),
    ),
  );

/** Tells the partner all that it does not know yet. Emits an impression for each signal that the partner was told. */
const tellAll = ({ name, note, tcf, pageExit$, tell, members }: Telling, deps: AddonDeps): Observable<EventDraft> => {
  const comparison = compareToNote(note, members, deps);
  // Kept before the partner is told, so that another tab does not tell it too.
  rememberChange(comparison, note, deps);
  const takeBack = (change: MembershipChange): void =>
    deps.remember(note, withoutChange(toldMemberships(deps.recall(note)), change));
  const segments = deps.activations
    .filter(({ sc }) => members.includes(String(sc)))
    .map((activation) => segmentOf(activation, deps));
  return merge(
    ...dueOf(comparison).map((change) =>
      defer(() => {
        const told$ = tell({ ...change, segment: segmentOf(change.activation, deps), segments, tcf });
        return onceRequested(told$, { pageExit$ }, () => takeBack(change));
      }).pipe(
        map(() => reaction(change.activation, 'impression')),
        isolate(`Failed to tell ${name} of a segment`, deps.report),
      ),
    ),
  );
};

/** The segment as the partner knows it: `segment` of the activation, else the code of the cohort. */
export const segmentOf = (activation: Activation, { codesOf }: Pick<AddonDeps, 'codesOf'>): string =>
  settingOf(activation, 'segment') ?? codesOf([String(activation.sc)])[0] ?? String(activation.sc);

const compareToNote = (
  note: string,
  members: readonly string[],
  { activations, recall, context }: AddonDeps,
): MembershipComparison => compareMemberships(activations, members, toldMemberships(recall(note)), context());

/** The changes that their activations want to be told. */
const dueOf = ({ changes }: MembershipComparison): readonly MembershipChange[] =>
  changes.filter(({ activation, entered }) => wants(activation, entered));

/** Remembers what the partner knows. A first run is remembered too, where there was nothing to tell. */
const rememberChange = ({ next }: MembershipComparison, note: string, { recall, remember }: AddonDeps): void => {
  if (!dequal(next, recall(note))) remember(note, next);
};

/**
 * A text or number that an activation gives for its partner, as text: from its own config `c`, else from that of the
 * workspace `wc`. Undefined where neither config has the field.
 */
export const settingOf = (activation: Activation, field: string): string | undefined => {
  const { c = {}, wc = {} } = ownFields(activation);
  return [c, wc]
    .map((config) => ownFields(config)[field])
    .map((found) => (typeof found === 'number' ? String(found) : found))
    .find((found): found is string => typeof found === 'string' && found !== '');
};
