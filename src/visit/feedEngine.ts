import { defer, map, mergeMap, type Observable, pairwise, startWith } from 'rxjs';

import type { Settings } from '../model/config';
import type { EngineCommand, VisitContext } from '../model/engineCommands';
import type { Event } from '../model/event';
import type { PageContext } from '../model/pageContext';
import { storeKeys } from '../model/storageKeys';
import type { TextStorage } from '../platform/platform';
import type { AppState } from '../sinks/delivery/appState';

/**
 * Emits a `track` message for each event, and before it a `context` message where the event belongs to another session
 * or view than the one before.
 */
export const feedEngine = (event$: Observable<Event>, context: () => VisitContext): Observable<EngineCommand> =>
  defer(() =>
    event$.pipe(
      map((event) => ({ event, context: context() })),
      // The first event is compared with the context of the start message.
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

/** Settings, storage and project that the start message is made of. */
export interface StartDeps {
  readonly setting: Settings;
  readonly newId: () => string;
  /** Its keys tell whether an earlier visit kept events or state there. */
  readonly local: Pick<TextStorage, 'keys'>;
  readonly project: { readonly workspaceId: string; readonly models: Readonly<Record<string, number>> };
}

/**
 * The first message to an engine: who the visitor is, the limits of its cache, the events that no engine has saved, and
 * what the host must know of project and page.
 */
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
