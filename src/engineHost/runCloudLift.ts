import { EMPTY, type Observable } from 'rxjs';

import type { Id, Report as EngineReport } from '../engine/engine';
import { cloudLift, type LiftedEngine } from './cloudLift';
import type { Effect } from './effects';
import { evaluatedEvents, type ExchangingEngine } from './servedEngine';

/** Ids of lifted events that are remembered, the latest. A save that succeeds stores no older one again. */
const maxHandled = 1000;

/**
 * Runs cloud lift where the project uses it. The ids of waiting events are stored with the state, so that a later page
 * lifts them.
 */
export const runCloudLift = (
  effect$: Observable<Effect>,
  { loaded, runner, deps }: ExchangingEngine,
): Observable<EngineReport> => {
  const { engine, chunk, past, missed } = loaded;
  const { bundle } = deps;
  if (bundle.lift === undefined) return EMPTY;
  const storedUnlifted = new Set(chunk.unlifted);
  // Ids of all events that this page lifts or has lifted. Stored ids that are not among them belong to other tabs.
  const handled = new Set<unknown>(chunk.unlifted);
  return cloudLift(
    evaluatedEvents(effect$),
    {
      engine,
      bundle: { id: bundle.id, events: bundle.lift.events, queries: bundle.queries },
      storedChecksums: checksumsOf(chunk.state?.['internal_query_states']),
      past,
      // The stored state does not contain the missed events, so it cannot contain their counts either.
      isUnlifted: (event) => storedUnlifted.has(event.id) || missed.some(({ id }) => id === event.id),
      onWaiting: (waiting) => {
        const ids = waiting.map(({ id }) => id);
        const waits = new Set<unknown>(ids);
        for (const id of ids) handled.add(id);
        for (const id of handled) if (handled.size > maxHandled && !waits.has(id)) handled.delete(id);
        runner.note({ unlifted: (stored) => [...stored.filter((id) => !handled.has(id)), ...ids] });
      },
    },
    deps,
  );
};

/** Checksums of stored query states. A state is an object or, packed, a list; it may be broken. */
const checksumsOf = (states: unknown): LiftedEngine['storedChecksums'] =>
  new Map(
    Object.entries(
      (states ?? {}) as Readonly<Record<Id, { readonly checksum?: string; readonly 0?: string } | null>>,
    ).map(([id, state]) => [id, state?.checksum ?? state?.[0]]),
  );
