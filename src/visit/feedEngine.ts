import { defer, map, mergeMap, type Observable, pairwise, startWith } from 'rxjs';

import type { Settings } from '../model/config';
import type { EngineCommand, VisitContext } from '../model/engineCommands';
import type { Event } from '../model/event';
import type { PageContext } from '../model/pageContext';
import { storeKeys } from '../model/storageKeys';
import type { TextStorage } from '../platform/platform';
import type { AppState } from '../sinks/delivery/appState';

/** Tells the engine each event, and before it the session and view that it belongs to, where these have changed. */
export const feedEngine = (event$: Observable<Event>, context: () => VisitContext): Observable<EngineCommand> =>
  defer(() =>
    event$.pipe(
      map((event) => ({ event, context: context() })),
      startWith({ event: undefined, context: context() }),
    ),
  ).pipe(
    pairwise(),
    mergeMap(([before, { event, context: now }]): EngineCommand[] => {
      if (event === undefined) return [];
      const track: EngineCommand = { type: 'track', event };
      return sameMoments(before.context, now) ? [track] : [{ type: 'context', context: now }, track];
    }),
  );

const sameMoments = (a: VisitContext, b: VisitContext): boolean =>
  a.session.id === b.session.id && a.view.id === b.view.id;

export interface StartDeps {
  readonly setting: Settings;
  readonly newId: () => string;
  readonly local: Pick<TextStorage, 'keys'>;
  readonly project: { readonly workspaceId: string; readonly models: Readonly<Record<string, number>> };
}

/** The first message to an engine: who the visitor is, and what the host needs to know of project and page. */
export const startMessage = (
  { setting, newId, local, project }: StartDeps,
  { user_id, client }: PageContext,
  context: VisitContext,
  { unsaved }: AppState,
): EngineCommand => ({
  type: 'start',
  userId: user_id,
  newSourceId: newId(),
  workspaceId: project.workspaceId,
  client,
  hasModels: Object.keys(project.models).length > 0,
  context,
  cacheLimitBytes: setting('eventsCacheLimitBytes'),
  cacheTtlDays: setting('eventsTTLInDays'),
  unsaved: [...unsaved],
  leftBehind: local
    .keys()
    .some((key) => key === storeKeys.previousPages || key === storeKeys.thisPage || key === storeKeys.queries),
});
