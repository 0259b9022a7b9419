import { EMPTY, type Observable } from 'rxjs';

import type { Id, Report as EngineReport } from '../engine/engine';
import { idsOf } from '../engine/language/canonicalLanguage';
import { lifting } from '../engine/state/lift';
import { type CachedEvent } from './cachedEvent';
import { claiming, pageOf } from './claiming';
import { cloudLift, type LiftedEngine } from './cloudLift';
import type { LoadedEngine } from './servedEngine';

/** Ids of lifted events that are remembered, the latest. A save that succeeds stores no older one again. */
const maxHandled = 1000;

/**
 * Runs cloud lift, of a project that uses it. The ids of waiting events are stored with the state, so that a later page
 * lifts them, once their own page is gone: an answer of the server is appended, so two pages must not ask for the same
 * event.
 */
export const runCloudLift = (
  event$: Observable<CachedEvent>,
  { start, loaded, runner, deps }: LoadedEngine,
): Observable<EngineReport> => {
  const { chunk, past, missed } = loaded;
  const engine = lifting(loaded.engine);
  const { bundle } = deps;
  const events = bundle.lift?.events;
  if (events === undefined) return EMPTY;
  const storedUnlifted = new Set(chunk.unlifted);
  // The stored state does not contain the missed events, so it cannot contain their counts either.
  const unlifted = past.filter((event) => storedUnlifted.has(event.id) || missed.includes(event));
  const run = (gone: ReadonlySet<string>): Observable<EngineReport> => {
    const isOwn = (event: CachedEvent): boolean => gone.has(pageOf(event));
    const own = new Set<unknown>(unlifted.filter(isOwn).map(({ id }) => id));
    const ofOthers = new Set<unknown>(unlifted.filter((event) => !isOwn(event)).map(({ id }) => id));
    // Ids of all events that this page lifts or has lifted. Stored ids that are not among them belong to other tabs.
    const handled = new Set<unknown>(chunk.unlifted.filter((id) => !ofOthers.has(id)));
    return cloudLift(
      event$,
      {
        engine,
        bundle: { id: bundle.id, events, ids: idsOf(bundle) },
        storedChecksums: checksumsOf(chunk.state?.['internal_query_states']),
        past: past.filter(({ id }) => !ofOthers.has(id)),
        isUnlifted: ({ id }) => own.has(id),
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
  return unlifted.length === 0 ? run(new Set()) : claiming(start.page, unlifted, deps, run);
};

/** Checksums of stored query states. A state is an object or, packed, a list; it may be broken. */
const checksumsOf = (states: unknown): LiftedEngine['storedChecksums'] =>
  new Map(
    Object.entries(
      (states ?? {}) as Readonly<Record<Id, { readonly checksum?: string; readonly 0?: string } | null>>,
    ).map(([id, state]) => [id, state?.checksum ?? state?.[0]]),
  );
