import { map, type Observable, startWith, switchMap, tap } from 'rxjs';

import type { EngineCommand } from '../model/engineCommands';
import type { EngineLink } from '../platform/platform';

/**
 * A conversation with the engine that outlives a change of user: at each `start$` the engine gives way to another, which is told
 * that message, and asked again what the page has asked. Another user's history is not this one's (spec C§4).
 */
export const engineOfUser = (open: () => EngineLink, start$: Observable<EngineCommand>): EngineLink => {
  let link = open();
  const asked: unknown[] = [];
  return {
    message$: start$.pipe(
      map((start) => [start, ...asked]),
      tap(() => {
        link = open();
      }),
      startWith([]),
      // switchMap: the engine before ends.
      switchMap((first) => {
        const { message$, send } = link;
        first.forEach(send);
        return message$;
      }),
    ),
    send: (message) => {
      if (isQuestion(message)) asked.push(message);
      link.send(message);
    },
  };
};

const isQuestion = (message: unknown): boolean => ['barrier', 'explain'].includes((message as EngineCommand).type);
