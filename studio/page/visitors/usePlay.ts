import { useDeferredValue, useMemo, useState } from 'react';

import type { Definition, EngineEvent, Explanation } from '../../../src/engine/engine';
import { useStudioState } from '../parts/studioContext';
import { visitorOf } from '../play/generatedVisitor';
import { explainAt, memberAt, type Played, playQuery } from '../play/playQuery';
import { type QueryReading, readQuery } from '../play/readQuery';
import { type ReadLog, readLog } from '../play/recordedLog';
import { withRead } from '../play/withRead';
import type { VisitorSource } from './VisitorSources';

/** Where the visitor’s events come from. `until`: a moment up to which the visitor is looked at, in ms since 1970. */
export type Source =
  | VisitorSource
  | {
      readonly type: 'found';
      readonly id: string | undefined;
      readonly events: readonly EngineEvent[];
      readonly until?: number;
    }
  | { readonly type: 'example'; readonly name: string; readonly events: readonly EngineEvent[] };

/** A query on a visitor at a moment. */
export interface Play {
  readonly reading: QueryReading;
  /** The cohort, and those of the file that it reads; undefined while it cannot be read. */
  readonly queries: readonly Definition[] | undefined;
  /** The visitor who is chosen. */
  readonly visitor: ReadLog;
  /** The events that were played, which may be those of the visitor before. */
  readonly events: readonly EngineEvent[];
  /** Undefined while the query cannot be read. */
  readonly played: Played | undefined;
  readonly at: number;
  readonly setAt: (at: number | undefined) => void;
  readonly isMember: boolean;
  readonly explanation: Explanation | null;
}

/** Plays a query on a visitor. The moment that is looked at is the last one, as long as none is set. */
export const usePlay = (text: string, source: Source, firstAt?: number): Play => {
  const { project } = useStudioState();
  const [wanted, setAt] = useState(firstAt);
  const reading = useMemo(() => readQuery(text), [text]);
  const visitor = useMemo(() => eventsOf(source), [source]);
  const queries = useMemo(
    () =>
      reading.type === 'query'
        ? withRead(
            reading.query.definition,
            project.cohorts.map(({ definition }) => definition),
          )
        : undefined,
    [reading, project],
  );
  const until = source.type === 'found' ? source.until : undefined;
  const current = useDeferredValue(useMemo(() => ({ queries, visitor, until }), [queries, visitor, until]));
  const { events } = current.visitor;
  const played = useMemo(() => {
    const [query] = current.queries ?? [];
    return query && playQuery(query.id, current.queries ?? [], current.visitor.events, current.until);
  }, [current]);
  const at = played === undefined ? 0 : Math.min(Math.max(wanted ?? played.to, played.from), played.to);
  const explanation = useMemo(() => {
    const [query] = current.queries ?? [];
    return query === undefined ? null : explainAt(query.id, current.queries ?? [], current.visitor.events, at);
  }, [current, at]);
  const isMember = played !== undefined && memberAt(played, at);
  return { reading, queries, visitor, events, played, at, setAt, isMember, explanation };
};

const eventsOf = (source: Source): ReadLog => {
  if (source.type === 'log') return readLog(source.text);
  return { events: source.type === 'generated' ? visitorOf(source.seed, source.taste) : source.events, faults: [] };
};
