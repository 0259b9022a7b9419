import { connect, distinctUntilChanged, map, merge, type Observable, skip, startWith } from 'rxjs';

import { pageOfRecord } from '../model/delivery';
import type { EngineCommand, Start, VisitContext } from '../model/engineCommands';
import type { NumberedEvent } from '../model/event';
import type { PageContext } from '../model/pageContext';
import type { PageProject } from '../model/project';
import { storeKeys } from '../model/storageKeys';
import type { TextStorage, Tools } from '../platform/platform';
import { keyOfLocal } from '../sinks/delivery/localJournal';
import type { Visitor } from './visitParts';

/**
 * Emits a `track` message for each event, and before it a `context` message where the event belongs to another session
 * or view than the one before.
 */
export const feedEngine = (event$: Observable<NumberedEvent>, context: () => VisitContext): Observable<EngineCommand> =>
  event$.pipe(
    // Two streams of one source: each event reaches the first one first.
    connect((shared$) =>
      merge(
        shared$.pipe(
          map(context),
          // The first event is compared with the context of the start message.
          startWith(context()),
          distinctUntilChanged(sameMoments),
          skip(1),
          map((now): EngineCommand => ({ type: 'context', context: now })),
        ),
        shared$.pipe(map((event): EngineCommand => ({ type: 'track', event }))),
      ),
    ),
  );

const sameMoments = (a: VisitContext, b: VisitContext): boolean =>
  a.session.id === b.session.id && a.view.id === b.view.id;

/** Settings, storage and project that the start message is made of. */
export interface StartDeps extends Pick<Tools, 'setting' | 'newId'> {
  /** The keys of local storage tell whether an earlier visit kept events or state there. */
  readonly local: Pick<TextStorage, 'keys' | 'read'>;
  readonly project: Pick<PageProject, 'workspaceId' | 'hasModels' | 'lookups'>;
}

/**
 * The first message to an engine: who the visitor is, the limits of its cache, the events that other pages have left in
 * local storage, and what the host must know of project and page.
 */
export const startMessage = (
  { setting, newId, local, project }: StartDeps,
  { user_id, client }: PageContext,
  context: VisitContext,
  {
    given,
    page,
    isNew,
    isAdopted,
    isMeasured,
  }: Pick<Start, 'given' | 'page' | 'isMeasured'> & Pick<Visitor, 'isNew' | 'isAdopted'>,
): EngineCommand => {
  const names = local.keys();
  return {
    type: 'start',
    userId: user_id,
    // Another id that the server has given is that of somebody it knows.
    isNew: isNew && !isAdopted(),
    newSourceId: newId(),
    workspaceId: project.workspaceId,
    page,
    client,
    hasModels: project.hasModels,
    lookups: project.lookups ?? [],
    context,
    cacheLimitBytes: setting('eventsCacheLimitBytes'),
    cacheTtlDays: setting('eventsTTLInDays'),
    given,
    requestTimeout: setting('requestTimeout'),
    localRecords: localRecords(names, local, page),
    isMeasured,
    leftBehind: names.some(
      (key) => key === storeKeys.previousPages || key === storeKeys.thisPage || key === storeKeys.queries,
    ),
  };
};

/** The records of the journal that other pages have in local storage. */
const localRecords = (names: readonly string[], { read }: StartDeps['local'], page: string): Start['localRecords'] =>
  names.flatMap((name) => {
    const key = keyOfLocal(name);
    return key === undefined || pageOfRecord(key) === page ? [] : [[key, read(name)] as const];
  });
