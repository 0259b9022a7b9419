import { defer, filter, first, map, type Observable } from 'rxjs';

import type { AskName, EngineCommand, EngineMessage } from '../model/engineCommands';

/** The page could not do what it was asked; `name` is the name of its error. */
export class AskError extends Error {
  constructor(
    override readonly name: string,
    message: string,
  ) {
    super(message);
  }
}

/** Asks the page for what a worker cannot do itself: its local storage, and calls of the server with the page's settings. Cold, one answer. */
export type Ask = (what: AskName, input: unknown) => Observable<unknown>;

export const askPage = (post: (message: EngineMessage) => void, message$: Observable<EngineCommand>): Ask => {
  let requests = 0;
  return (what, input) =>
    defer(() => {
      const request = (requests += 1);
      post({ type: 'ask', request, what, input });
      return message$.pipe(
        filter((message) => message.type === 'answer'),
        first((message) => message.request === request),
        map(({ value, error }) => {
          if (error !== null) throw new AskError(error.name, error.message);
          return value;
        }),
      );
    });
};
