import { mergeMap, type Observable } from 'rxjs';

import { ownFields } from '../../hardening/ownFields';
import { maxPurpose, type Tcf } from '../../model/tcf';
import type { Tools } from '../../platform/platform';
import { times } from '../../primitives/lists';
import { textOrEmpty } from '../../primitives/textOrEmpty';
import { heardFrom, platformAnswers } from './consentAnswers';
import { consentApi, type ConsentApiDeps, type ConsentCommand } from './consentApi';
import { disclosedVendors } from './disclosedVendors';

/** After this time a page has no platform, in ms: 20 times 50 (spec C§9). */
const waitMs = 1000;

/** What the platform calls listeners with. All of it is unchecked, because it comes from the page. */
interface TcData {
  readonly eventStatus?: unknown;
  readonly gdprApplies?: unknown;
  readonly tcString?: unknown;
  readonly vendor?: { readonly consents?: Flags; readonly disclosedVendors?: Flags };
  readonly purpose?: { readonly consents?: Flags };
  /** By purpose. */
  readonly publisher?: { readonly restrictions?: Readonly<Record<number, Restrictions>> };
}

/** By id of a vendor or purpose, true where the vendor or purpose has what the field says, else false or absent. */
type Flags = Readonly<Record<number, unknown>>;
/** By id of a vendor, the type of the publisher's restriction, 0 to 2. */
type Restrictions = Readonly<Record<number, unknown>>;

/**
 * Emits the answer of the page's consent platform, which may be in a window around it: the first one, and each later
 * decision of the visitor. A platform that is still loading, or that shows its dialog, has not answered yet. Where
 * there is none after 20 times 50 ms, the answer is `missing`. From the moment a late platform is found, nobody has
 * consent until it has answered. Cold; each subscription adds a listener and removes it when it ends.
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
const loaded = (answer: TcData): Tcf => {
  const tcString = textOrEmpty(answer.tcString);
  const gdprApplies = answer.gdprApplies !== false;
  return { status: 'loaded', gdprApplies, tcString, ...(gdprApplies ? consentIn(answer, tcString) : forAll(true)) };
};

/** What the answer allows, in copies, because the platform may change its own object later. */
const consentIn = ({ vendor, purpose, publisher }: TcData, tcString: string) => {
  const hasConsent = flagged(vendor?.consents);
  const isDisclosed = disclosed(vendor?.disclosedVendors, tcString);
  return {
    vendorConsent: (id: number) => hasConsent(id) && isDisclosed(id),
    purposeConsent: flagged(purpose?.consents),
    isRestricted: restricted(publisher?.restrictions),
  };
};

const flagged = (flags?: Flags): ((id: number) => boolean) => {
  const own: Flags = ownFields(flags ?? {});
  return (id) => own[id] === true;
};

/**
 * Whether the visitor was shown a vendor. Platforms name the field in different ways, and some have none, so that the
 * TC string is read where the field tells nothing. A string from before TCF 2.3 does not say it, and forbids nobody.
 */
const disclosed = (field: Flags | undefined, tcString: string): ((vendorId: number) => boolean) =>
  Object.keys(field ?? {}).length > 0 ? flagged(field) : (disclosedVendors(tcString) ?? (() => true));

/** The type of restriction that leaves consent as it is: the vendor needs it. */
const requiresConsent = 1;

/** Whether the publisher keeps a vendor from using consent for a purpose. */
const restricted = (restrictions: Readonly<Record<number, Restrictions>> = {}): Tcf['isRestricted'] => {
  const given = ownFields(restrictions);
  const byPurpose = times(maxPurpose + 1, (purpose): Restrictions => ownFields(given[purpose] ?? {}));
  return (vendorId, purpose) => (byPurpose[purpose]?.[vendorId] ?? requiresConsent) !== requiresConsent;
};

/** The same answer for all vendors and purposes. */
const forAll = (isGiven: boolean) => ({
  vendorConsent: () => isGiven,
  purposeConsent: () => isGiven,
  isRestricted: () => false,
});
/** Without a platform nothing forbids the lookups (spec C§6). */
const missing: Tcf = { status: 'missing', gdprApplies: false, tcString: '', ...forAll(true) };
/** A platform that failed, or that came late and has not answered yet, has given consent to nobody. */
const aborted: Tcf = { status: 'aborted', gdprApplies: true, tcString: '', ...forAll(false) };
