import { defer, filter, map, type Observable, take } from 'rxjs';

import type { EngineCommand, EngineMessage } from '../model/engineCommands';
import type { AnswerOf, Failure, InputOf, QuestionName } from '../model/engineQuestions';

/** The page could not do what it was asked. `failure` says why, in words that cross between threads. */
export class AskError extends Error {
  override readonly name = 'AskError';

  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/**
 * Asks the page for what a worker cannot do itself: local storage and server calls. Cold: each subscription posts one
 * question. Emits one answer and completes. Errors: `AskError`.
 */
export type Ask = <Name extends QuestionName>(what: Name, input: InputOf<Name>) => Observable<AnswerOf<Name>>;

/** Makes `ask` over a connection: questions leave by `post`, and answers are found among `message$` by their number. */
export const askPage = (post: (message: EngineMessage) => void, message$: Observable<EngineCommand>): Ask => {
  let requests = 0;
  return <Name extends QuestionName>(what: Name, input: InputOf<Name>) =>
    defer(() => {
      const request = (requests += 1);
      post({ type: 'ask', request, what, input });
      return message$.pipe(
        filter((message) => message.type === 'answer'),
        filter((message) => message.request === request),
        take(1),
        map(({ value, error }) => {
          if (error !== null) throw new AskError(error);
          // The page has decoded the server's answer already.
          return value;
        }),
      );
    });
};

/** How a question failed; undefined where something else went wrong. */
export const failureOf = (cause: unknown): Failure | undefined =>
  cause instanceof AskError ? cause.failure : undefined;
