import { from, merge, type Observable, Subject } from 'rxjs';
import type { Reported } from '../model/errorReport';
import { messageOf } from '../model/messageOf';
import type { Measured } from '../model/metric';

/** What the SDK has to say of itself, from wherever it says it. */
export interface SelfReports {
  readonly report: (message: string, cause: unknown) => void;
  readonly measure: (measured: Measured) => void;
  /** What was reported before anybody asked, once, and what is reported from now on. */
  readonly reported: () => Observable<Reported>;
  readonly measured$: Observable<Measured>;
}

/** Reports of the start wait for the visitor's consent; more than these are one error, again and again. */
const maxHeld = 50;

export const selfReports = (): SelfReports => {
  const [reported$, measured$] = [new Subject<Reported>(), new Subject<Measured>()];
  let held: Reported[] | undefined = [];
  return {
    report: (message, cause) => {
      // A network that fails is no error of ours: it is counted (spec C§8).
      const network = /Network request (failed|timed out)/.exec(`${message} ${messageOf(cause)}`);
      if (network) {
        const labels = { network_error_type: network[1] === 'failed' ? 'failed' : 'timeout' };
        measured$.next({ type: 'metrics', metrics: [{ name: 'sdk_http_generic_network_request_fail_count_total', value: 1, labels }] });
      } else if (held === undefined) reported$.next({ message, cause });
      else if (held.length < maxHeld) held.push({ message, cause });
    },
    measure: (measured) => measured$.next(measured),
    reported: () => {
      const early = held ?? [];
      held = undefined;
      return merge(from(early), reported$);
    },
    measured$,
  };
};
