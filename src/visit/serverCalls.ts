import type { Observable } from 'rxjs';

import { binaryModels } from '../endpoints/binaryModels';
import { call, type CallDeps } from '../endpoints/call';
import type { Endpoint, Input } from '../endpoints/endpoint';
import { jsonModels } from '../endpoints/jsonModels';
import { liftEvents } from '../endpoints/liftEvents';
import { liftQueries } from '../endpoints/liftQueries';
import { stateSync } from '../endpoints/stateSync';
import type { AskName } from '../model/engineCommands';

const calling =
  <Body, Answer>(endpoint: Endpoint<Body, Answer>) =>
  (input: unknown, deps: CallDeps): Observable<unknown> =>
    call(endpoint, input as Input<NoInfer<Body>>, deps);

/** The calls that the engine asks the page for. */
export const serverCalls = {
  stateSync: calling(stateSync),
  liftEvents: calling(liftEvents),
  liftQueries: calling(liftQueries),
  binaryModels: calling(binaryModels),
  jsonModels: calling(jsonModels),
} satisfies Partial<Record<AskName, (input: unknown, deps: CallDeps) => Observable<unknown>>>;

export type ServerCallName = keyof typeof serverCalls;
