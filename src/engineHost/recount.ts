import type { CellSpec, Component } from '../engine/cells/cell';
import { cellOrder } from '../engine/cells/cellOrder';
import { distinctCell } from '../engine/cells/distinct';
import { scopedCell } from '../engine/cells/scoped';
import { windowedCell } from '../engine/cells/windowed';
import type { EngineEvent } from '../engine/engineEvent';
import type { Machine } from '../engine/evaluate/machine';
import type { Query } from '../engine/evaluate/query';
import { fold } from '../primitives/lists';
import { isCached } from './cachedEvent';

/**
 * The queries that can be counted anew from the cached events: all events that they count are cached, and the cached
 * events reach back as far as what they have counted. A life-time count does not say how far it reaches, so it is kept;
 * so are latest and earliest events and sequences without a window.
 */
export const recountable = ({ catalogue }: Machine, events: readonly EngineEvent[]): readonly Query[] => {
  const oldest = fold(events, Infinity, (time, event) => Math.min(time, event.time));
  const isReached = (spec: CellSpec | undefined, own: Component): boolean =>
    own.length === 0 ||
    spec?.kind === scopedCell ||
    // The oldest bucket is last, before its weight or hash.
    (spec !== undefined && isDated(spec) && Math.floor(oldest / spec.width) <= (own.at(-2) ?? 0));
  return [...catalogue.queries.values()].filter(
    ({ meaning, uses, specs, cells }) =>
      // The server counts the events of remote cells; no other cells are without events.
      [...cellOrder(meaning).keys()].every((node) => !('remote' in node)) &&
      [...uses.events].every(isCached) &&
      cells.own.every((own, i) => isReached(specs[i], own)),
  );
};

/** Whether a cell has its counts under the times at which they were made. */
const isDated = ({ kind, width }: CellSpec): boolean => (kind === windowedCell || kind === distinctCell) && width > 0;
