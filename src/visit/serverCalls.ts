import type { Observable } from 'rxjs';

import { binaryModels } from '../endpoints/binaryModels';
import { call, type CallDeps } from '../endpoints/call';
import type { Endpoint, Input } from '../endpoints/endpoint';
import { jsonModels } from '../endpoints/jsonModels';
import { lateFailures } from '../endpoints/lateFailures';
import { liftEvents } from '../endpoints/liftEvents';
import { liftQueries } from '../endpoints/liftQueries';
import { stateSync } from '../endpoints/stateSync';
import type { AnswerOf, InputOf, QuestionName } from '../model/engineQuestions';

/** The questions of the engine that are server calls. */
export type ServerCallName = Exclude<QuestionName, 'read' | 'write'>;

/** Calls the endpoint. A page that goes does not hear that its request has ended, so the engine draws no conclusion. */
const calling =
  <Body, Answer>(endpoint: Endpoint<Body, Answer>) =>
  (input: Input<NoInfer<Body>>, deps: CallDeps): Observable<Answer> =>
    call(endpoint, input, { ...deps, http: lateFailures(deps.http) });

/**
 * The server calls that the engine asks the page for, by the name of the question. Each is cold, and errors as `call`
 * does. The engine is told a while later that no answer came.
 */
export const serverCalls: {
  readonly [Name in ServerCallName]: (input: InputOf<Name>, deps: CallDeps) => Observable<AnswerOf<Name>>;
} = {
  stateSync: calling(stateSync),
  liftEvents: calling(liftEvents),
  liftQueries: calling(liftQueries),
  binaryModels: calling(binaryModels),
  jsonModels: calling(jsonModels),
};
