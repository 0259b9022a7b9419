import { map, type Observable, startWith, switchMap, tap } from 'rxjs';

import type { EngineCommand } from '../model/engineCommands';
import type { EngineLink } from '../platform/platform';

/**
 * A link that survives a change of user. At each `start$`, the engine ends and another one begins with that message,
 * because an engine must not know another user's history (spec C§4). Barriers and explanations that the page has asked
 * for are asked again, so that their readers get an answer.
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
        // Sent before the subscription. The link keeps them until the engine has started.
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

/** Whether a message waits for an answer of the engine. */
const isQuestion = (message: unknown): boolean => ['barrier', 'explain'].includes((message as EngineCommand).type);
