import { catchError, defer, map, mergeMap, type Observable, of, throwError } from 'rxjs';
import { binaryModels } from '../endpoints/binaryModels';
import { call, type CallDeps } from '../endpoints/call';
import type { Endpoint, Input } from '../endpoints/endpoint';
import { jsonModels } from '../endpoints/jsonModels';
import { liftEvents } from '../endpoints/liftEvents';
import { liftQueries } from '../endpoints/liftQueries';
import { stateSync } from '../endpoints/stateSync';
import { messageOf } from '../model/messageOf';
import type { AskName, FromHost, ToHost } from '../model/protocol';
import { QuotaError } from '../model/quotaError';
import type { TextStorage } from '../platform/platform';

export interface AnswerEngineDeps extends CallDeps {
  readonly local: TextStorage;
}

type Question = Extract<FromHost, { type: 'ask' }>;

/** Does for the engine what a worker cannot: reads and writes local storage, calls the server with the page's settings of that moment. */
export const answerEngine = (question$: Observable<Question>, deps: AnswerEngineDeps): Observable<ToHost> =>
  question$.pipe(
    // mergeMap: the engine asks one thing at a time where that matters.
    mergeMap(({ request, what, input }) =>
      defer(() => handlers[what](input, deps)).pipe(
        map((value): ToHost => ({ type: 'answer', request, value, error: null })),
        catchError((cause: unknown) => of<ToHost>({ type: 'answer', request, value: null, error: { name: cause instanceof Error ? cause.name : '', message: messageOf(cause) } })),
      ),
    ),
  );

type Handler = (input: unknown, deps: AnswerEngineDeps) => Observable<unknown>;

const calling =
  <Body, Answer>(endpoint: Endpoint<Body, Answer>): Handler =>
  (input, deps) =>
    call(endpoint, input as Input<NoInfer<Body>>, deps);

const handlers: Readonly<Record<AskName, Handler>> = {
  read: (input, { local }) => of(local.read((input as { readonly key: string }).key)),
  write: (input, { local }) => {
    const { key, text } = input as { readonly key: string; readonly text: string | null };
    if (text === null) {
      local.remove(key);
      return of(null);
    }
    const failure = local.write(key, text);
    if (failure === undefined) return of(null);
    return throwError(() => (failure === 'quota' ? new QuotaError() : new Error(failure)));
  },
  stateSync: calling(stateSync),
  liftEvents: calling(liftEvents),
  liftQueries: calling(liftQueries),
  binaryModels: calling(binaryModels),
  jsonModels: calling(jsonModels),
};
