import { catchError, concat, EMPTY, mergeMap, Observable, of } from 'rxjs';

import { ownFields } from '../../hardening/ownFields';
import type { Tcf } from '../../model/tcf';
import { poll } from '../../operators/creators/poll';
import { consentApi, type ConsentApiDeps, type ConsentCommand } from './consentApi';

/** What the platform calls listeners with. All of it is unchecked, because it comes from the page. */
interface TcData {
  readonly listenerId?: unknown;
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
 * there is none after 20 tries of 50 ms, the answer is `missing`, and it is looked for with growing waits for 102 s
 * more. From the moment a late platform is found, nobody has consent until it has answered. Cold; each subscription
 * adds a listener and removes it when it ends.
 */
export const fromTcf = (deps: ConsentApiDeps): Observable<Tcf> =>
  poll(() => consentApi('__tcfapi', deps)).pipe(
    mergeMap((ask$) => ask$.pipe(mergeMap(listening))),
    catchError(() => concat(of(missing), lateTcf(deps))),
  );

/** What a platform says that comes after the page was taken to have none. */
const lateTcf = (deps: ConsentApiDeps): Observable<Tcf> =>
  poll(() => consentApi('__tcfapi', deps), { everyMs: 100, factor: 2, times: 11 }).pipe(
    mergeMap((ask$) => concat(of(aborted), ask$.pipe(mergeMap(listening)))),
    catchError(() => EMPTY),
  );

/** Listens to the platform. An error of the platform emits `aborted` and does not end the stream. */
const listening = (ask: ConsentCommand): Observable<Tcf> =>
  new Observable((subscriber) => {
    let listenerId: unknown;
    // An error of the platform is not a decision of the visitor.
    const guarded = (action: () => void): void => {
      try {
        action();
      } catch {
        subscriber.next(aborted);
      }
    };
    const leave = (): void => {
      // The first listener's id is 0.
      if (typeof listenerId === 'number') guarded(() => ask('removeEventListener', () => undefined, listenerId));
    };
    guarded(() =>
      ask('addEventListener', (data, success) =>
        guarded(() => {
          const answer = (data ?? {}) as TcData;
          listenerId = answer.listenerId ?? listenerId;
          // A platform that loads late calls us back through its stub's queue, even after we have unsubscribed.
          if (subscriber.closed) leave();
          else if (success !== true) subscriber.next(aborted);
          else if (isDecision(answer)) subscriber.next(loaded(answer));
        }),
      ),
    );
    return leave;
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
