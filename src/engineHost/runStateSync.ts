import { concat, filter, type Observable, startWith } from 'rxjs';

import type { Report as EngineReport } from '../engine/engine';
import { checksumOfBundle } from '../engine/language/checksums';
import type { Effect } from './effects';
import type { ExchangingEngine } from './servedEngine';
import { syncState } from './stateSync';

/**
 * Runs state sync for the visitor. The sync begins once a new event source is stored, and counts its own start as a
 * change.
 */
export const runStateSync = (
  effect$: Observable<Effect>,
  { start, loaded, runner, deps }: ExchangingEngine,
): Observable<EngineReport> => {
  const { engine, chunk, sourceStored$, context } = loaded;
  const changed$ = effect$.pipe(
    filter(({ type }) => type === 'stateChanged'),
    startWith(null),
  );
  const visit = {
    groupId: start.userId,
    eventSourceId: () => engine.parts.sync.source,
    session: () => context().session.id,
    lastSession: chunk.syncedSession,
    isNew: isNewToServer({ loaded, deps }),
    onFetched: (syncedSession: string) => runner.note({ syncedSession }),
  };
  return concat(sourceStored$, syncState(changed$, engine, visit, deps));
};

/** Whether the server cannot know this state: its event source, user or bundle is new, or it was migrated. */
const isNewToServer = ({
  loaded: { engine, chunk },
  deps: { bundle },
}: Pick<ExchangingEngine, 'loaded' | 'deps'>): boolean =>
  chunk.eventSourceId === undefined ||
  chunk.groupId === undefined ||
  chunk.state?.['bundle_checksum'] !== checksumOfBundle(bundle) ||
  engine.stateMigratedThisInitialisation;
