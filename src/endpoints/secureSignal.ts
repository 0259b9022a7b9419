import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/** Whom the signal is about, and all cohorts of theirs. */
const SecureSignalRequest = t.strict({ user_id: t.string, cohorts: t.readonlyArray(t.string) }, 'SecureSignalRequest');

/** The signal, which only its buyers can read, and for how many seconds it holds. */
const SecureSignalAnswer = t.type({ signal: t.string, expires_in: t.number }, 'SecureSignalAnswer');

/** POST {secureSignalsApiHost}/v1/signal (contract: cohort services). */
export const secureSignal = endpointOf({
  method: 'POST',
  host: 'secureSignals',
  path: '/v1/signal',
  body: SecureSignalRequest,
  answer: SecureSignalAnswer,
});
