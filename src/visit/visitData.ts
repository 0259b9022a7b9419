import { filter, map, type Observable, type Subject } from 'rxjs';

import type { ContextualAnswer } from '../endpoints/contextualState';
import { ownEntry } from '../hardening/ownFields';
import type { PageContext } from '../model/pageContext';
import { enrichment } from '../streams/enrichment/enrichment';
import { sessionAndView } from '../streams/visitor/sessionAndView';
import { eventFactory } from './eventFactory';
import type { VisitData } from './visitParts';
import type { VisitInput } from './visits';
import type { World } from './world';

/**
 * Makes the data of one visit. Place and classification are asked for when they are first needed; the code for that is
 * in the deferred chunk.
 */
export const visitData = (
  contextual$: Subject<ContextualAnswer | undefined>,
  { isFirst, lastView, pageExit$, pageShown$ }: Pick<VisitInput, 'isFirst' | 'lastView' | 'pageExit$' | 'pageShown$'>,
  userId: () => string,
  world: World,
  stop$: Observable<unknown>,
): VisitData => {
  // Only the first visit of a document uses the view id of the page's snippet.
  const moments = sessionAndView(world, isFirst ? world.setting('viewId') : undefined, lastView);
  const { make, facts, addressOf } = eventFactory(moments, lastView, world);
  const data = enrichment({
    ...world,
    addressOf,
    stop$,
    sessionId: () => moments.current().session.id,
    // A page that is about to be replaced may stay, so its events wait until it is hidden or unloads.
    pageExit$: pageExit$.pipe(filter(({ isUnloading }) => isUnloading || world.page.hidden())),
    pageShown$,
    // From the definition alone: the page's settings are in reach of every script.
    sendsAddress: ownEntry(world.project.config, 'sendIpAddress') === true,
    pageviewFields: world.project.pageviewFields ?? {},
    loadFilling$: world.deferredParts$.pipe(map(({ filling }) => filling)),
  });
  const makeWithData: VisitData['make'] = (draft) => {
    const event = make(draft);
    return draft.view === undefined ? event : data.openView(event, draft.view.watson);
  };
  let contextual: PageContext['contextual'];
  const context = (): PageContext => {
    const { session, view } = moments.current();
    const { client, path } = facts();
    return {
      user_id: userId(),
      session_id: session.id,
      view_id: view.id,
      client: { ...client, path, view_id: view.id },
      ...data.known(),
      ...(contextual && { contextual }),
    };
  };
  const noteContextual: VisitData['noteContextual'] = (answer) => {
    contextual = answer && {
      cohorts: answer.cohorts,
      classifications: answer.contextual_data?.classifications ?? {},
    };
    contextual$.next(answer);
  };
  const { enrich, idle$, filling$ } = data;
  return { moments, make: makeWithData, enrich, idle$, filling$, context, addressOf, noteContextual };
};
