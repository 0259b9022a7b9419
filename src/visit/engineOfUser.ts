import { map, type Observable, startWith, switchMap, tap } from 'rxjs';

import type { EngineCommand } from '../model/engineCommands';
import type { EngineLink } from '../platform/platform';

/**
 * A link that survives a change of user: at each `start$` the engine ends and another one begins with that message,
 * because an engine must not know another user's history (spec C§4). What the page had asked is asked again.
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
      // switchMap: unsubscribing ends the previous engine.
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
