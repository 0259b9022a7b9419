import * as t from 'io-ts';

import type { Endpoint } from './endpoint';
import { bodyOfType, readerOfType } from './ioTs';

/** Whom the signal is about, and all cohorts of theirs. */
export const SecureSignalRequest = t.strict(
  { user_id: t.string, cohorts: t.readonlyArray(t.string) },
  'SecureSignalRequest',
);
export type SecureSignalRequest = Readonly<t.TypeOf<typeof SecureSignalRequest>>;

/** The signal, which only its buyers can read, and for how many seconds it holds. */
export const SecureSignalAnswer = t.type({ signal: t.string, expires_in: t.number }, 'SecureSignalAnswer');
export type SecureSignalAnswer = Readonly<t.TypeOf<typeof SecureSignalAnswer>>;

/** POST {secureSignalsApiHost}/v1/signal (contract: cohort services). */
export const secureSignal: Endpoint<SecureSignalRequest, SecureSignalAnswer> = {
  method: 'POST',
  host: 'secureSignals',
  version: 'v1',
  path: 'signal',
  body: bodyOfType(SecureSignalRequest),
  responseType: 'json',
  answer: readerOfType(SecureSignalAnswer),
};
