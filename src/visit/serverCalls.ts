import type { Observable } from 'rxjs';

import { binaryModels } from '../endpoints/binaryModels';
import { call, type CallDeps } from '../endpoints/call';
import { jsonModels } from '../endpoints/jsonModels';
import { liftEvents } from '../endpoints/liftEvents';
import { liftQueries } from '../endpoints/liftQueries';
import { stateSync } from '../endpoints/stateSync';
import type { AnswerOf, InputOf, QuestionName } from '../model/engineQuestions';

/** The questions of the engine that are server calls. */
export type ServerCallName = Exclude<QuestionName, 'read' | 'write'>;

/**
 * The server calls that the engine asks the page for, by the name of the question. Each is cold, and errors as `call`
 * does.
 */
export const serverCalls: {
  readonly [Name in ServerCallName]: (input: InputOf<Name>, deps: CallDeps) => Observable<AnswerOf<Name>>;
} = {
  stateSync: (input, deps) => call(stateSync, input, deps),
  liftEvents: (input, deps) => call(liftEvents, input, deps),
  liftQueries: (input, deps) => call(liftQueries, input, deps),
  binaryModels: (input, deps) => call(binaryModels, input, deps),
  jsonModels: (input, deps) => call(jsonModels, input, deps),
};
