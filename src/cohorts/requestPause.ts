import { defer, type Observable, tap, throwError } from 'rxjs';

import { isRecord } from '../codecs/codecs';
import { readNote, writeNote } from '../model/notes';
import type { Tools } from '../platform/platform';
import { pauseMs } from '../primitives/duration';

/** Note that has the end of each service's pause, by the name of the service. */
const pausesNote = 'requestPauses';

type RequestPauseDeps = Pick<Tools, 'local' | 'json' | 'now'>;

/** The pause of one service after a failed request. */
export interface RequestPause {
  /** Whether no request may be made at this moment. */
  readonly isOn: () => boolean;
  /** Begins the pause, after a failed request. */
  readonly begin: () => void;
}

/** Makes the pause of a service. An end that lies further ahead than a pause takes was not written by us. */
export const requestPause = (service: string, { now, ...deps }: RequestPauseDeps): RequestPause => {
  const stored = (): Readonly<Record<string, unknown>> => {
    const note = readNote(pausesNote, deps);
    return isRecord(note) ? note : {};
  };
  return {
    isOn: () => {
      const ends = Object.hasOwn(stored(), service) ? stored()[service] : 0;
      return typeof ends === 'number' && now() < ends && ends <= now() + pauseMs;
    },
    begin: () => writeNote(pausesNote, { ...stored(), [service]: now() + pauseMs }, deps),
  };
};

/** No request was made, because the pause of its service is on. */
export class PausedError extends Error {
  override readonly name = 'PausedError';

  constructor() {
    super('Paused after a failed request');
  }
}

/** Makes a call of a service, unless its pause is on. During the pause the call errors with `PausedError`. */
export const unlessPaused = <A>(service: string, call$: Observable<A>, deps: RequestPauseDeps): Observable<A> =>
  defer(() => {
    const pause = requestPause(service, deps);
    return pause.isOn() ? throwError(() => new PausedError()) : call$.pipe(tap({ error: pause.begin }));
  });
