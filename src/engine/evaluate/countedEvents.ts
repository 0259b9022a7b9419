import type { CellInput, CellSpec } from '../cells/cell';
import type { EngineEvent } from '../engineEvent';
import type { Test } from '../index/paths';
import { compilePred } from '../index/predicate';
import { type Probe, type ProbedCell, probesOf, type Wait } from '../index/probe';
import type { CellExpr } from '../language/canonicalLanguage';
import type { Environment } from './compile';

/** The latest events of a cell are named, at most so many. */
const maxNamed = 20;

/**
 * The events of a list that count in a cell at this moment, newest first, at most 20. A first or last event is one.
 * `events`: oldest first. Transitions of cohorts are no events of the list.
 */
export const countedEvents = (
  node: CellExpr,
  cell: ProbedCell,
  events: readonly EngineEvent[],
  environment: Pick<Environment, 'seed' | 'moment'>,
): readonly EngineEvent[] => {
  const { seed, moment } = environment;
  const { edge } = cell.spec;
  const waiting = probesOf(node, cell, seed).flatMap(([wait, probe]) =>
    wait.events !== null ? [{ probe, waitsFor: testOf(wait, seed) }] : [],
  );
  const counts = (event: EngineEvent): boolean =>
    waiting.some(({ probe, waitsFor }) => waitsFor(event) && isCountedBy(probe, event, moment));
  if (edge === 'first') return events.filter(counts).slice(0, 1);
  const named = edge === 'last' ? 1 : maxNamed;
  const found: EngineEvent[] = [];
  for (let i = events.length - 1; i >= 0 && found.length < named; i--) {
    const event = events[i] as EngineEvent;
    if (counts(event)) found.push(event);
  }
  return found;
};

const testOf = (
  { events, where }: Extract<Wait, { events: readonly string[] }>,
  seed: number,
): ((event: EngineEvent) => boolean) => {
  const test: Test = where === undefined ? () => true : compilePred(where, seed);
  return (event) => events.includes(event.name) && test({ root: event.properties, event });
};

/** Whether the event alone makes a difference to a cell that has counted nothing. */
const isCountedBy = ({ spec, scope, measure }: Probe, event: EngineEvent, moment: Environment['moment']): boolean => {
  const { time } = event;
  if (scope !== null && moment[scope]?.id !== (scope === 'session' ? event.session_id : event.view_id)) return false;
  // One step of a sequence completes nothing, and an edge counts whether its test holds or not.
  if (spec.steps > 1 || spec.edge !== null) return time > moment.now - windowOf(spec);
  return measure(event).some((amount) => {
    const input: CellInput = { time, amount };
    return spec.kind.value(spec, spec.kind.feed(spec, [], input, moment), [], moment) > 0;
  });
};

const windowOf = ({ width, buckets, windowMs }: CellSpec): number => (width === 0 ? windowMs : width * buckets);
