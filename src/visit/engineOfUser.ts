import { map, type Observable, startWith, switchMap, tap } from 'rxjs';

import type { Data, EngineCommand } from '../model/engineCommands';
import type { EngineLink } from '../platform/platform';

/**
 * A link that survives a change of user. At each `start$`, the engine ends and another one begins with that message,
 * because an engine must not know another user's history (spec C§4). The new engine is given the data of the page,
 * which belongs to no user. Barriers and explanations that the page has asked for are asked again, so that their
 * readers get an answer.
 */
export const engineOfUser = (open: () => EngineLink, start$: Observable<EngineCommand>): EngineLink => {
  let link = open();
  const asked: EngineCommand[] = [];
  let ofPage: Data = {};
  return {
    message$: start$.pipe(
      map((start) => [
        start,
        ...(Object.keys(ofPage).length > 0 ? [{ type: 'data' as const, patch: ofPage }] : []),
        ...asked,
      ]),
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
    send: (command) => {
      if (['barrier', 'explain'].includes(command.type)) asked.push(command);
      if (command.type === 'data') ofPage = { ...ofPage, ...ofPageAlone(command.patch) };
      link.send(command);
    },
  };
};

/** The data that depends on the page and on where the request comes from, and on no user. */
const ofPageAlone = ({ geo, classification }: Data): Data => ({
  ...(geo !== undefined && { geo }),
  ...(classification !== undefined && { classification }),
});
