import type { CellSpec, Component } from '../engine/cells/cell';
import { cellOrder } from '../engine/cells/cellOrder';
import { distinctCell } from '../engine/cells/distinct';
import { scopedCell } from '../engine/cells/scoped';
import { windowedCell } from '../engine/cells/windowed';
import type { EngineEvent } from '../engine/engineEvent';
import type { Machine } from '../engine/evaluate/machine';
import type { Query } from '../engine/evaluate/query';
import { isCached } from './cachedEvent';

/**
 * The queries that can be counted anew from the cached events: these reach back as far as what the queries have
 * counted, and all events that the queries count are cached. A life-time count does not say how far it reaches, so it
 * is counted anew where the cached events reach back as far as everything else.
 */
export const recountable = ({ catalogue }: Machine, events: readonly EngineEvent[]): readonly Query[] => {
  const oldest = events.reduce((time, event) => Math.min(time, event.time), Infinity);
  const queries = [...catalogue.queries.values()];
  const cellsOf = ({ specs, cells }: Pick<Query, 'specs' | 'cells'>): readonly (readonly [CellSpec, Component])[] =>
    specs.map((spec, i) => [spec, cells.own[i] ?? []]);
  const isReached = ([spec, own]: readonly [CellSpec, Component]): boolean =>
    // The oldest bucket is last, before its weight or hash.
    own.length === 0 || Math.floor(oldest / spec.width) <= (own.at(-2) ?? 0);
  const dated = queries.flatMap(cellsOf).filter(([spec, own]) => isDated(spec) && own.length > 0);
  const isWhole = dated.length > 0 && dated.every(isReached);
  const canRecount = (cell: readonly [CellSpec, Component]): boolean => {
    const [spec, own] = cell;
    return own.length === 0 || spec.kind === scopedCell || (isDated(spec) ? isReached(cell) : isWhole);
  };
  return queries.filter(
    ({ meaning, uses, ...query }) =>
      // The server counts the events of remote cells; no other cells are without events.
      [...cellOrder(meaning).keys()].every((node) => !('remote' in node)) &&
      [...uses.events].every(isCached) &&
      cellsOf(query).every(canRecount),
  );
};

/** Whether a cell has its counts under the times at which they were made. */
const isDated = ({ kind, width }: CellSpec): boolean => (kind === windowedCell || kind === distinctCell) && width > 0;
