import { NEVER, of } from 'rxjs';

import { readTrusted } from '../../src/engine/cohortEngine';
import { type Definition, init } from '../../src/engine/engine';
import { published } from '../../src/engine/language/canonical';
import { nothingCounted, storedCounted } from '../../src/engineHost/counted';
import type { EngineHostDeps } from '../../src/engineHost/engineHost';
import { memoryJournal } from '../../src/fakePlatform/memoryJournal';
import { json } from '../../src/hardening/plainJson';
import type { Start, VisitContext } from '../../src/model/engineCommands';
import { noon, sourceId, visitorId } from './events';
import { keyValueStore } from './keyValueStore';

export const contextOf = (session = 'session', view = 'view'): VisitContext => ({
  session: { id: session, startedAt: noon },
  view: { id: view, startedAt: noon },
});

/** What the page says first. */
export const startOf = (changes: Partial<Start> = {}): Start => ({
  type: 'start',
  userId: visitorId,
  isNew: false,
  newSourceId: sourceId,
  workspaceId: 'workspace',
  page: 'page',
  client: { type: 'web', user_agent: '', url: 'https://site.example', domain: 'site.example', title: '', referrer: '' },
  hasModels: false,
  lookups: ['geo', 'classification'],
  context: contextOf(),
  cacheLimitBytes: 0,
  cacheTtlDays: null,
  given: [],
  localRecords: [],
  requestTimeout: 5000,
  isMeasured: true,
  leftBehind: false,
  ...changes,
});

const never = () => NEVER;

/** What a host needs, without its services: a store in memory, time at noon, no other tabs. */
export const hostDepsOf = (queries: readonly Definition[], changes: Partial<EngineHostDeps> = {}): EngineHostDeps => {
  const store = keyValueStore();
  return {
    bundle: { v: 1, id: 'bundle', seed: 0, queries: queries.map(published) },
    read: readTrusted,
    store: () => store,
    ask: () => NEVER,
    load: { services: never, lift: never, explanations: never },
    json,
    journal: memoryJournal(),
    now: () => noon,
    random: () => 1,
    yieldThread: () => of(undefined),
    hold: () => of(true),
    report: () => undefined,
    ...changes,
  };
};

/** An engine without history. `source` is the browser that it is in. */
export const newEngine = (source: string, queries: readonly Definition[] = []): ReturnType<typeof init> =>
  init({
    event_source_id: source,
    now: noon,
    bundle: hostDepsOf(queries).bundle,
    state: null,
    context: contextOf(),
    lookups: {},
    pending: [],
  });

/** The state that the last page of a visitor has stored, on which nothing had happened. */
export const storedState = (queries: readonly Definition[]): string => {
  const engine = newEngine(sourceId, queries);
  engine.bootstrap();
  engine.replay([]);
  return json.stringify({ ...engine.snapshot(), group_id: visitorId, counted: storedCounted(nothingCounted) });
};
