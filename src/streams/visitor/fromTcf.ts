import { mergeMap, type Observable } from 'rxjs';

import { ownFields } from '../../hardening/ownFields';
import type { Tcf } from '../../model/tcf';
import type { Tools } from '../../platform/platform';
import { heardFrom, platformAnswers } from './consentAnswers';
import { consentApi, type ConsentApiDeps, type ConsentCommand } from './consentApi';

/** After this time a page has no platform, in ms: 20 times 50 (spec C§9). */
const waitMs = 1000;

/** What the platform calls listeners with. All of it is unchecked, because it comes from the page. */
interface TcData {
  readonly eventStatus?: unknown;
  readonly gdprApplies?: unknown;
  readonly tcString?: unknown;
  readonly vendor?: Consents;
  readonly purpose?: Consents;
}

/** By id of a vendor or purpose, whether it has consent. */
interface Consents {
  readonly consents?: Readonly<Record<number, unknown>>;
}

/**
 * Emits the answer of the page's consent platform, which may be in a window around it: the first one, and each later
 * decision of the visitor. A platform that is still loading, or that shows its dialog, has not answered yet. Where
 * there is none after 20 times 50 ms, the answer is `missing`. From the moment a late platform is found, nobody has
 * consent until it has answered. Cold; each subscription
 * adds a listener and removes it when it ends.
 */
export const fromTcf = (deps: ConsentApiDeps & Pick<Tools, 'appears'>): Observable<Tcf> => {
  const answers = (): Observable<Tcf> | undefined => consentApi('__tcfapi', deps)?.pipe(mergeMap(listening));
  return platformAnswers(deps.appears(answers, waitMs), missing, aborted);
};

/** Listens to the platform. An error of the platform is not a decision of the visitor, and emits `aborted`. */
const listening = (ask: ConsentCommand): Observable<Tcf> =>
  heardFrom(ask, aborted, (data, success) => {
    const answer = (data ?? {}) as TcData;
    if (success !== true) return [aborted];
    return isDecision(answer) ? [loaded(answer)] : [];
  });

/**
 * Whether the event is an answer: consent was stored already, or the visitor has just decided. An open dialog
 * (`cmpuishown`) is neither.
 */
const isDecision = ({ eventStatus }: TcData): boolean =>
  eventStatus === 'tcloaded' || eventStatus === 'useractioncomplete';

/** The platform's answer in the SDK's shape. Where GDPR does not apply, all have consent (spec C§6). */
const loaded = ({ gdprApplies, tcString, vendor, purpose }: TcData): Tcf => {
  const consentIn = (given?: Consents): ((id: number) => boolean) => {
    // A copy, because the platform may change its own object later.
    const consents: Readonly<Record<number, unknown>> = ownFields(given?.consents ?? {});
    // What has no consent is false or absent.
    return (id) => gdprApplies === false || consents[id] === true;
  };
  return {
    status: 'loaded',
    gdprApplies: gdprApplies !== false,
    tcString: typeof tcString === 'string' ? tcString : '',
    vendorConsent: consentIn(vendor),
    purposeConsent: consentIn(purpose),
  };
};

/** The same answer for all vendors and purposes. */
const forAll = (isGiven: boolean) => ({ vendorConsent: () => isGiven, purposeConsent: () => isGiven });
/** Without a platform nothing forbids the lookups (spec C§6). */
const missing: Tcf = { status: 'missing', gdprApplies: false, tcString: '', ...forAll(true) };
/** A platform that failed, or that came late and has not answered yet, has given consent to nobody. */
const aborted: Tcf = { status: 'aborted', gdprApplies: true, tcString: '', ...forAll(false) };
