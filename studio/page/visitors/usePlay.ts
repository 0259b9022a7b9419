import { useDeferredValue, useMemo, useState } from 'react';

import { withRead } from '../../../project/withRead';
import type { Definition, EngineEvent, Explanation } from '../../../src/engine/engine';
import { useStudioState } from '../parts/studioContext';
import { visitorOf } from '../play/generatedVisitor';
import { explainAt, memberAt, type Played, playQuery } from '../play/playQuery';
import { type QueryReading, readQuery } from '../play/readQuery';
import { type ReadLog, readLog } from '../play/recordedLog';
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
  /** Where the visitor who is chosen comes from. */
  readonly source: Source;
  /** Chooses another visitor, and the moment `at` where it is given. */
  readonly choose: (source: Source, at?: number) => void;
  readonly visitor: ReadLog;
  /** The events that were played, which may be those of the visitor before. */
  readonly events: readonly EngineEvent[];
  /** Undefined while the query cannot be read. */
  readonly played: Played | undefined;
  readonly at: number;
  readonly setAt: (at: number) => void;
  readonly isMember: boolean;
  readonly explanation: Explanation | null;
}

/** Plays a query on a visitor. The moment that is looked at is the last one, as long as none is set. */
export const usePlay = (text: string, firstSource: Source, firstAt?: number): Play => {
  const { project } = useStudioState();
  const [source, setSource] = useState(firstSource);
  const [wanted, setAt] = useState(firstAt);
  const choose = (next: Source, moment?: number): void => {
    setSource(next);
    if (moment !== undefined) setAt(moment);
  };
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
  return { reading, queries, source, choose, visitor, events, played, at, setAt, isMember, explanation };
};

const eventsOf = (source: Source): ReadLog => {
  if (source.type === 'log') return readLog(source.text);
  return { events: source.type === 'generated' ? visitorOf(source.seed, source.taste) : source.events, faults: [] };
};
