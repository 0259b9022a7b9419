import type { Observable } from 'rxjs';

import type { Report as EngineReport } from '../engine/engine';
import type { PageEngine as Engine } from '../engine/engineInterface';
import type { EngineCommand, EngineMessage, Membership, VisitContext } from '../model/engineCommands';
import type { Report } from '../model/report';
import type { CachedEvent } from './cachedEvent';
import type { OpenedEngine } from './loadEngine';

/** A consequence of a task of the engine, or of an answer of the server. The host routes each effect by its type. */
export type Effect =
  /** A message for the page. */
  | { readonly type: 'tell'; readonly message: EngineMessage }
  /** The state differs from what is stored and from what other devices have. */
  | { readonly type: 'stateChanged' }
  /** An event went through the engine. */
  | { readonly type: 'evaluated'; readonly event: CachedEvent }
  /** The page has told an event that the engine has counted already. The page does not know that yet. */
  | { readonly type: 'known' }
  /** The page has provided data that queries look up. */
  | { readonly type: 'dataProvided' }
  /** What is not stored must be stored now: the page may be going away, or data has decided something. */
  | { readonly type: 'flushRequested' }
  /** The page asks why a query holds or does not. */
  | { readonly type: 'explanationRequested'; readonly asked: Extract<EngineCommand, { readonly type: 'explain' }> }
  /** The engine is ready. Emitted once, with what the services need. */
  | { readonly type: 'loaded'; readonly loaded: Loaded };

/** An engine that has caught up with the stored history, and what the services need besides it. */
export interface Loaded extends Pick<OpenedEngine, 'engine' | 'chunk' | 'input'> {
  /** Reports the errors of an engine's report, and answers the effects on page and store. */
  readonly effectsOf: (report: EngineReport) => readonly Effect[];
  /**
   * Stores a new event-source id and completes; completes at once where the id is stored. State sync waits for it: the
   * server must not hear of a source that this browser may still lose.
   */
  readonly sourceStored$: Observable<never>;
  /** Events of the pages before this one, oldest first. */
  readonly past: readonly CachedEvent[];
  /** Those events of `past` that were not in the stored state. This page has evaluated them for the first time. */
  readonly missed: readonly CachedEvent[];
  /** Session and view of this moment. */
  readonly context: () => VisitContext;
}

/** The effect of sending the page a message. */
export const tell = (message: EngineMessage): Effect => ({ type: 'tell', message });

/** The visitor's cohorts at this moment, and per platform those activated there. */
export const membershipOf = (engine: Engine): Membership => ({
  members: engine.members(),
  activations: engine.activations(),
});

/**
 * Messages to the page about a report of the engine: the new membership, then the transitions. Without transitions
 * there is nothing to tell.
 */
export const messagesOf = (engine: Engine, { transitions }: EngineReport): readonly EngineMessage[] =>
  transitions.length === 0
    ? []
    : [
        { type: 'changed', membership: membershipOf(engine) },
        { type: 'transitions', transitions: [...transitions] },
      ];

/** Effects of a report of the engine. Messages come first, because they are the most urgent. */
export const effectsOf = (engine: Engine, report: EngineReport): readonly Effect[] => [
  ...messagesOf(engine, report).map(tell),
  ...(report.stateChanged ? [{ type: 'stateChanged' } as const] : []),
];

/** Reports the errors of a report, with the prefix of the engine (spec S§8). */
export const reportFaults = ({ errors }: Pick<EngineReport, 'errors'>, report: Report): void => {
  for (const message of errors) report(`Query Language: ${message}`);
};
