import {
  distinctUntilChanged,
  mergeMap,
  NEVER,
  noop,
  type Observable,
  of,
  skip,
  switchMap,
  take,
  takeUntil,
} from 'rxjs';

import { readOr } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import { partnerConsent, type PartnerNeeds } from '../../consent/partnerConsent';
import { ownEntry } from '../../hardening/ownFields';
import type { Activation } from '../../model/activation';
import type { Report } from '../../model/report';
import { partnerPurposes, Purposes } from '../../model/tcf';
import type { AddonDeps, AddonStreams } from '../addon';
import { dueActivations } from './dueActivations';

/** Options of an addon whose activations may name a vendor. */
export const vendorOptions = optionsOf({
  /**
   * Purposes of the TCF that activations need which name none; undefined: 1, 3 and 4 for those with a vendor. The
   * others are the publisher's own and need none.
   */
  tcf_purposes: [Purposes, undefined],
});
export type VendorOptions = ReturnType<typeof vendorOptions>;

/**
 * The purposes of the TCF that an activation itself names as `tcf_purposes` of its config, else those of the addon. The
 * build has refused anything else; definitions of other builds are not trusted.
 */
export const purposesOf = <Else>({ c }: Activation, ofAddon: Else): readonly number[] | Else => {
  const given = ownEntry(c ?? {}, 'tcf_purposes');
  return given === undefined ? ofAddon : readOr(Purposes, given, ofAddon, noop);
};

/** What an activation needs the visitor's consent for. */
type ActivationNeeds = PartnerNeeds & { readonly purposes: readonly number[] };

/**
 * What an activation needs: the consent for the vendor that its config names as `tcf_vendor_id`, and for purposes.
 * Undefined, after a report, where that id is no number (spec S§5).
 */
export const needsOf = (
  activation: Activation,
  { tcf_purposes }: VendorOptions,
  report: Report,
): ActivationNeeds | undefined => {
  const { id, c } = activation;
  const given = c?.['tcf_vendor_id'] ?? '';
  const vendorId = given === '' ? undefined : Number(given);
  if (Number.isNaN(vendorId)) {
    report('Invalid tcf vendor ID', new Error(`${id}: tcf_vendor_id: expected a number`));
    return undefined;
  }
  const purposes = purposesOf(activation, tcf_purposes) ?? (vendorId === undefined ? [] : partnerPurposes);
  return { vendorId, purposes };
};

/** Whether an activation is the publisher's own, so that the consent platform is not asked. */
export const isOwn = ({ vendorId, purposes }: ActivationNeeds): boolean =>
  vendorId === undefined && purposes.length === 0;

/**
 * As `dueActivations`, for activations that may name a vendor: each is emitted when it is due and its vendor has
 * consent. One that is due before waits for the consent; one with the trigger EveryTime until the next view, in which
 * it is due again. An activation whose vendor id is invalid is reported and left out. `ready` waits for what else an
 * activation needs; consent that is withdrawn meanwhile takes the activation back.
 *
 *     due:      a-b-----c---    a: the publisher's own; b, c: of a vendor
 *     consent:  n---y-------    n: not given, y: given
 *     result:   a---b---c---
 */
export const consentedActivations = (
  streams: Pick<AddonStreams, 'cohorts$' | 'transition$' | 'view$' | 'tcf$' | 'sharing$'>,
  options: VendorOptions,
  { activations, context, report }: Pick<AddonDeps, 'activations' | 'context' | 'report'>,
  ready: (activation: Activation) => Observable<Activation> = (activation) => of(activation),
): Observable<Activation> => {
  const needsByActivation = new Map(
    activations.flatMap((activation) => {
      const needs = needsOf(activation, options, report);
      return needs === undefined ? [] : [[activation, needs] as const];
    }),
  );
  const nextView$ = streams.view$.pipe(distinctUntilChanged(), skip(1));
  return dueActivations(streams, { activations: [...needsByActivation.keys()], context }).pipe(
    // mergeMap: an activation that may act does not wait for one that may not.
    mergeMap((activation) => {
      const needs = needsByActivation.get(activation);
      if (needs === undefined || isOwn(needs)) return ready(activation);
      return partnerConsent(streams, needs).pipe(
        switchMap(({ isGiven }) => (isGiven ? ready(activation) : NEVER)),
        take(1),
        takeUntil(activation.tt === 'EveryTime' ? nextView$ : NEVER),
      );
    }),
  );
};
