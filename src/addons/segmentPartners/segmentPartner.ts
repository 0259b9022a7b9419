import { dequal } from 'dequal/lite';
import { defer, EMPTY, merge, mergeMap, type Observable, of, switchMap, take, withLatestFrom } from 'rxjs';

import { value } from '../../codecs/codecs';
import type { OptionsOf } from '../../codecs/options';
import { partnerConsent } from '../../consent/partnerConsent';
import { ownFields } from '../../hardening/ownFields';
import { type Activation, reaction } from '../../model/activation';
import type { Cohorts } from '../../model/cohorts';
import type { EventDraft } from '../../model/event';
import { Purposes, type Tcf } from '../../model/tcf';
import { exhaustLatest } from '../../operators/exhaustLatest';
import { isolate } from '../../operators/isolate';
import { evaluatedCohorts } from '../activations/evaluatedCohorts';
import {
  compareMemberships,
  type MembershipChange,
  type MembershipComparison,
  toldMemberships,
  wants,
} from '../activations/toldMemberships';
import type { Addon, AddonDeps } from '../addon';

/** Options that every partner of this folder takes. */
export const partnerFields = {
  /** TCF vendor whose consent is needed; undefined: that of the partner, if it is a vendor of the list. */
  tcf_vendor_id: [value<number>('a vendor id', (input) => Number.isInteger(input)), undefined],
  /** Purposes of the TCF that the partner needs; undefined: 1, 3 and 4. */
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

/** Tells a partner of one signal. May throw, because what it calls may belong to the page. */
export type TellPartner = (signal: Signal) => void;

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
          if (deps.activations.length === 0) return EMPTY;
          const cohorts$ = evaluatedCohorts(streams);
          const needs = { vendorId: given.tcf_vendor_id ?? vendorId, purposes: given.tcf_purposes };
          return partnerConsent(streams, needs).pipe(
            // switchMap: consent that is withdrawn ends the wait for the partner.
            switchMap(({ isGiven, tcf }) =>
              isGiven ? tellChanges({ name, note, tcf, cohorts$, partner$: reach(given, deps) }, deps) : EMPTY,
            ),
          );
        }),
      ),
  };
};

/** What a partner is told from, and where that is remembered. */
interface Telling extends Pick<Signal, 'tcf'> {
  /** The partner's name. */
  readonly name: string;
  readonly note: string;
  /** State: the cohorts that this page has evaluated, again in each view. */
  readonly cohorts$: Observable<Cohorts>;
  readonly partner$: Observable<TellPartner>;
}

/**
 * Tells the partner all that it does not know yet, at each change of cohorts and in each view. The addon waits for the
 * partner only where there is something to tell.
 */
const tellChanges = ({ name, note, tcf, cohorts$, partner$ }: Telling, deps: AddonDeps): Observable<EventDraft> => {
  const tellAll = (tell: TellPartner, members: readonly string[]): Observable<EventDraft> => {
    const comparison = compareToNote(note, members, deps);
    // Kept before the partner is told, so that another tab does not tell it too.
    rememberChange(comparison, note, deps);
    const segments = deps.activations
      .filter(({ sc }) => members.includes(String(sc)))
      .map((activation) => segmentOf(activation, deps));
    return merge(
      ...dueOf(comparison).map((change) =>
        defer(() => {
          tell({ ...change, segment: segmentOf(change.activation, deps), segments, tcf });
          return of(reaction(change.activation, 'impression'));
        }).pipe(isolate(`Failed to tell ${name} of a segment`, deps.report)),
      ),
    );
  };
  return cohorts$.pipe(
    // exhaustLatest: other cohorts do not begin the wait anew.
    exhaustLatest(({ members }) =>
      defer(() => {
        const comparison = compareToNote(note, members, deps);
        if (dueOf(comparison).length > 0)
          // Compared anew, because cohorts have changed or another tab has told the partner in the meantime.
          return partner$.pipe(
            withLatestFrom(cohorts$),
            mergeMap(([tell, now]) => tellAll(tell, now.members)),
          );
        rememberChange(comparison, note, deps);
        return EMPTY;
      }).pipe(isolate(`Failed to reach ${name}`, deps.report)),
    ),
  );
};

const segmentOf = (activation: Activation, { codesOf }: AddonDeps): string =>
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
