import type { Observable } from 'rxjs';

import type { Report as EngineReport } from '../engine/engine';
import type { PageEngine as Engine } from '../engine/engineInterface';
import type { EngineMessage, Membership, VisitContext } from '../model/engineCommands';
import type { Report } from '../model/report';
import type { CachedEvent } from './cachedEvent';
import type { OpenedEngine } from './loadEngine';

/** What a task of the engine, or an answer of the server, led to. */
export type Effect =
  /** The page must be told. */
  | { readonly type: 'tell'; readonly message: EngineMessage }
  /** The state differs from what is stored and from what other devices have. */
  | { readonly type: 'stateChanged' }
  /** An event went through the engine. */
  | { readonly type: 'evaluated'; readonly event: CachedEvent }
  /** The page brought data that queries look up. */
  | { readonly type: 'dataProvided' }
  /** The page may be going away: what is not stored must be stored now. */
  | { readonly type: 'flushRequested' }
  | { readonly type: 'explanationRequested'; readonly request: number; readonly id: string }
  /** The engine is ready. */
  | { readonly type: 'loaded'; readonly loaded: Loaded };

/** An engine that has caught up with the stored history, and what the services need beside it. */
export interface Loaded extends Pick<OpenedEngine, 'engine' | 'chunk' | 'eventSourceId' | 'input'> {
  /** Reports the errors of an engine's report, and answers what it means for page and store. */
  readonly effectsOf: (report: EngineReport) => readonly Effect[];
  /** Stores a new source and completes. The server must not hear of a source that this browser may still lose. */
  readonly sourceStored$: Observable<never>;
  /** Events of the pages before this one, oldest first. */
  readonly past: readonly CachedEvent[];
  /** Those of them that were not in the stored state: they were evaluated on this page for the first time. */
  readonly missed: readonly CachedEvent[];
  /** Session and view of this moment. */
  readonly context: () => VisitContext;
}

export const tell = (message: EngineMessage): Effect => ({ type: 'tell', message });

export const membershipOf = (engine: Engine): Membership => ({
  members: engine.members(),
  activations: engine.activations(),
});

/** What a report of the engine means for the page. */
export const messagesOf = (engine: Engine, { transitions }: EngineReport): readonly EngineMessage[] =>
  transitions.length === 0
    ? []
    : [
        { type: 'changed', membership: membershipOf(engine) },
        { type: 'transitions', transitions: [...transitions] },
      ];

/** What a report of the engine means for page and store. Messages come first, because they are the most urgent. */
export const effectsOf = (engine: Engine, report: EngineReport): readonly Effect[] => [
  ...messagesOf(engine, report).map(tell),
  ...(report.stateChanged ? [{ type: 'stateChanged' } as const] : []),
];

/** Reports what the engine could not do. */
export const reportFaults = ({ errors }: Pick<EngineReport, 'errors'>, report: Report): void => {
  for (const message of errors) report(`Query Language: ${message}`);
};
