import { catchError, defer, map, mergeMap, type Observable, of, throwError, throwIfEmpty } from 'rxjs';

import type { EngineCommand, EngineMessage } from '../model/engineCommands';
import { messageOf, QuotaError } from '../model/errors';
import type { TextStorage } from '../platform/platform';
import type { ServerCallName } from './serverCalls';

export interface AnswerEngineDeps {
  readonly local: TextStorage;
  readonly callServer: (what: ServerCallName, input: unknown) => Observable<unknown>;
}

type Question = Extract<EngineMessage, { type: 'ask' }>;

/** Does for the engine what a worker cannot: reads and writes local storage, calls the server with the page's settings of that moment. */
export const answerEngine = (question$: Observable<Question>, deps: AnswerEngineDeps): Observable<EngineCommand> =>
  question$.pipe(
    // mergeMap: the engine asks one thing at a time where that matters.
    mergeMap((question) => {
      const { request } = question;
      return defer(() => answerTo(question, deps)).pipe(
        map((value): EngineCommand => ({ type: 'answer', request, value, error: null })),
        catchError((cause: unknown) =>
          of<EngineCommand>({
            type: 'answer',
            request,
            value: null,
            error: { name: cause instanceof Error ? cause.name : '', message: messageOf(cause) },
          }),
        ),
      );
    }),
  );

const answerTo = ({ what, input }: Question, { local, callServer }: AnswerEngineDeps): Observable<unknown> => {
  if (what === 'read') return of(local.read((input as { readonly key: string }).key));
  if (what !== 'write') return callServer(what, input).pipe(throwIfEmpty(() => new Error('not loaded')));
  const { key, text } = input as { readonly key: string; readonly text: string | null };
  if (text === null) {
    local.remove(key);
    return of(null);
  }
  const failure = local.write(key, text);
  if (failure === undefined) return of(null);
  return throwError(() => (failure === 'quota' ? new QuotaError() : new Error(failure)));
};
