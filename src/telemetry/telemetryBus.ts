import { from, merge, type Observable, Subject } from 'rxjs';

import { NetworkError } from '../model/errors';
import type { Measured } from '../model/metric';
import type { Reported } from './errorReport';

/** Collects error reports and measurements from all parts of the SDK, from before there is consent to send any. */
export type TelemetryBus = ReturnType<typeof telemetryBus>;

/** Reports that are kept until somebody asks for them. More than that are usually repetitions of one error. */
const maxHeld = 50;

/** Makes the bus of one page. */
export const telemetryBus = () => {
  const [reported$, measured$] = [new Subject<Reported>(), new Subject<Measured>()];
  let held: Reported[] | undefined = [];
  return {
    /** Takes an error. A network failure becomes a metric instead. Never throws. */
    report: (message: string, cause: unknown): void => {
      // A network failure is not an error of the SDK: it is counted, not reported (spec C§8).
      if (cause instanceof NetworkError) {
        const labels = { network_error_type: cause.kind };
        measured$.next({
          type: 'metrics',
          metrics: [{ name: 'sdk_http_generic_network_request_fail_count_total', value: 1, labels }],
        });
      } else if (held === undefined) reported$.next({ message, cause });
      else if (held.length < maxHeld) held.push({ message, cause });
    },
    /** Passes a measurement on to `measured$`. The measurement is lost where nobody is subscribed to `measured$`. */
    measure: (measured: Measured): void => measured$.next(measured),
    /**
     * Emits the reports since the start, and then each new one. Only the first call gets the early ones; a call without
     * a subscription drops them.
     */
    reportsSoFar: (): Observable<Reported> => {
      const early = held ?? [];
      held = undefined;
      return merge(from(early), reported$);
    },
    /** Measurements of the moment. Hot. */
    measured$: measured$ as Observable<Measured>,
  };
};
