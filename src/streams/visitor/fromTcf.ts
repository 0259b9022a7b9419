import { catchError, map, mergeMap, Observable, of } from 'rxjs';

import type { Tcf } from '../../model/tcf';
import { poll } from '../../operators/creators/poll';
import type { Page } from '../../platform/platform';

type TcfApi = (
  command: string,
  version: 2,
  callback: (data: unknown, success: unknown) => void,
  parameter?: unknown,
) => void;

interface TcData {
  readonly listenerId?: unknown;
  readonly eventStatus?: unknown;
  readonly gdprApplies?: unknown;
  readonly tcString?: unknown;
  readonly vendor?: { readonly consents?: Readonly<Record<number, unknown>> };
}

/**
 * The answer of the page's consent platform: the first one, and each later decision of the visitor. A platform that is
 * still loading, or that shows its dialog, has not answered. A page that has none after 20 tries of 50 ms is `missing`
 * one.
 */
export const fromTcf = (page: Pick<Page, 'global'>): Observable<Tcf> =>
  poll(() => apiOf(page)).pipe(
    map(() => true),
    catchError(() => of(false)),
    mergeMap((found) => (found ? listening(page) : of(missing))),
  );

/** Looked up at each use: the stub that queues calls gives way to the platform itself. */
const apiOf = (page: Pick<Page, 'global'>): TcfApi | undefined => {
  const api = page.global('__tcfapi');
  return typeof api === 'function' ? (api as TcfApi) : undefined;
};

const listening = (page: Pick<Page, 'global'>): Observable<Tcf> =>
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
      if (typeof listenerId === 'number')
        guarded(() => apiOf(page)?.('removeEventListener', 2, () => undefined, listenerId));
    };
    guarded(() =>
      apiOf(page)?.('addEventListener', 2, (data, success) =>
        guarded(() => {
          const answer = (data ?? {}) as TcData;
          listenerId = answer.listenerId;
          // A platform that loads late calls us back through its stub's queue, even after we have unsubscribed.
          if (subscriber.closed) leave();
          else if (success !== true) subscriber.next(aborted);
          else if (isDecision(answer)) subscriber.next(loaded(answer));
        }),
      ),
    );
    return leave;
  });

/** An open dialog (`cmpuishown`) is not a decision. */
const isDecision = ({ eventStatus }: TcData): boolean =>
  eventStatus === 'tcloaded' || eventStatus === 'useractioncomplete';

const loaded = ({ gdprApplies, tcString, vendor }: TcData): Tcf => {
  // A copy, because the platform may change its own object later.
  const consents: Readonly<Record<number, unknown>> = { ...vendor?.consents };
  return {
    status: 'loaded',
    gdprApplies: gdprApplies !== false,
    tcString: typeof tcString === 'string' ? tcString : '',
    // A vendor without consent is false or absent.
    vendorConsent: (id) => gdprApplies === false || consents[id] === true,
  };
};

const missing: Tcf = { status: 'missing', gdprApplies: false, tcString: '', vendorConsent: () => true };
const aborted: Tcf = { status: 'aborted', gdprApplies: true, tcString: '', vendorConsent: () => false };
