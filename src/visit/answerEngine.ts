import { catchError, defer, map, mergeMap, type Observable, of, throwError, throwIfEmpty } from 'rxjs';

import { DecodeError } from '../codecs/codecs';
import type { EngineCommand, EngineMessage } from '../model/engineCommands';
import type { AnswerOf, Failure, InputOf } from '../model/engineQuestions';
import { messageOf, NetworkError, NotJsonError, StatusError } from '../model/errors';
import type { TextStorage, WriteFailure } from '../platform/platform';
import type { ServerCallName } from './serverCalls';

/** Local storage and the server calls, which need the page's settings. */
export interface AnswerEngineDeps {
  readonly local: TextStorage;
  /** Makes a server call. Completes without a value where the deferred chunk cannot be loaded. */
  readonly callServer: <Name extends ServerCallName>(what: Name, input: InputOf<Name>) => Observable<AnswerOf<Name>>;
}

/** A question of the engine, with the number that its answer repeats. */
type AskMessage = Extract<EngineMessage, { type: 'ask' }>;

/**
 * Does for the engine what a worker cannot: reads and writes local storage, and calls the server with the page's
 * settings. Emits one `answer` for each question. A failure is an answer too, with its kind and status as data.
 */
export const answerEngine = (question$: Observable<AskMessage>, deps: AnswerEngineDeps): Observable<EngineCommand> =>
  question$.pipe(
    // mergeMap: questions do not wait for each other. Where the order of answers matters, the engine asks one at a
    // time.
    mergeMap((question) => {
      const { request } = question;
      return defer(() => answerTo(question, deps)).pipe(
        map((value): EngineCommand => ({ type: 'answer', request, value, error: null })),
        catchError((cause: unknown) =>
          of<EngineCommand>({ type: 'answer', request, value: null, error: describeFailure(cause) }),
        ),
      );
    }),
  );

/** Answers one question. Errors where that is not possible. */
const answerTo = ({ what, input }: AskMessage, deps: AnswerEngineDeps): Observable<unknown> => {
  if (what === 'read') return of<AnswerOf<'read'>>(deps.local.read((input as InputOf<'read'>).key));
  if (what === 'write') return writeLocal(input as InputOf<'write'>, deps);
  return deps.callServer(what, input as InputOf<typeof what>).pipe(throwIfEmpty(() => new Error('not loaded')));
};

/** Writes a text, or removes the key where the text is null. */
const writeLocal = (
  { key, text, before }: InputOf<'write'>,
  { local }: AnswerEngineDeps,
): Observable<AnswerOf<'write'>> => {
  if (before !== undefined && local.read(key) !== before) return of(false);
  if (text === null) {
    local.remove(key);
    return of(true);
  }
  const refusal = local.write(key, text);
  if (refusal === undefined) return of(true);
  return throwError(() => new WriteError(refusal));
};

/** Local storage did not keep a text. */
class WriteError extends Error {
  constructor(readonly kind: WriteFailure) {
    super(kind);
  }
}

/** A failure as data: errors lose their class between threads. */
const describeFailure = (cause: unknown): Failure => ({
  kind: failureKind(cause),
  status: cause instanceof StatusError ? cause.status : null,
  message: messageOf(cause),
});

const failureKind = (cause: unknown): Failure['kind'] => {
  if (cause instanceof StatusError) return 'status';
  if (cause instanceof NetworkError || cause instanceof WriteError) return cause.kind;
  if (cause instanceof DecodeError || cause instanceof NotJsonError) return 'unreadable';
  return 'other';
};
