import type { Catalogue } from './catalogue';
import type { Present } from './context';
import type { EngineEvent } from './engineEvent';
import type { Membership } from './memberships';
import type { Probe } from './probe';
import { type Query, withCell } from './query';

/** Brings events to the cells that wait for them. */
export class Feeding {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly present: Present,
  ) {}

  /** Feeds an event, and calls `onChange` for each query of which a cell changed. */
  event(event: EngineEvent, onChange: (query: Query) => void, isWanted: (probe: Probe) => boolean = always): void {
    const probes = this.catalogue.match(event, isWanted);
    for (const { steps, measure } of probes) if (steps !== null) steps.matched |= measure(event)[0] ?? 0;
    for (const probe of probes) this.feed(probe, event, onChange);
  }

  /** Feeds a transition of a cohort. */
  transition({ id, entered, exited }: Membership, entry: boolean, onChange: (query: Query) => void): void {
    const name = entry ? 'SegmentEntry' : 'SegmentExit';
    const probes = entry ? entered : exited;
    if (probes.length === 0 && !this.catalogue.awaits(name)) return;
    const { now: time, session, view } = this.present;
    const properties = { segment_number: /^\d+$/.test(id) ? Number(id) : id };
    const event = { name, time, properties, session_id: session?.id ?? null, view_id: view?.id ?? null };
    for (const probe of probes) this.feed(probe, event, onChange);
    this.event(event, onChange);
  }

  private feed(probe: Probe, event: EngineEvent, onChange: (query: Query) => void): void {
    const { query, cell, spec } = probe;
    if (!this.isInScope(probe, event)) return;
    const before = query.cells.own[cell] ?? [];
    let after = before;
    for (const amount of amountsOf(probe, event)) after = spec.kind.feed(spec, after, { time: event.time, amount }, this.present);
    if (after === before) return;
    query.cells.own = withCell(query.cells.own, cell, after);
    onChange(query);
  }

  /** Cells of a session or a view take the events of the current one only. */
  private isInScope({ spec }: Probe, event: EngineEvent): boolean {
    const { scope } = spec.options;
    if (scope === undefined) return true;
    return this.present[scope]?.id === (scope === 'session' ? event.session_id : event.view_id);
  }
}

/** All steps of a sequence that an event matches are taken at once, when the first of its probes is fed. */
const amountsOf = ({ steps, measure }: Probe, event: EngineEvent): readonly number[] => {
  if (steps === null) return measure(event);
  const { matched } = steps;
  steps.matched = 0;
  return matched === 0 ? [] : [matched];
};

const always = (): boolean => true;
