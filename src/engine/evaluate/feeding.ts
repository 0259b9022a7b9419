import type { CellInput, Component } from '../cells/cell';
import type { EngineEvent } from '../engineEvent';
import type { Probe } from '../index/probe';
import type { Catalogue } from './catalogue';
import type { Present } from './context';
import type { KnownCohort } from './memberships';
import { type Query, withCell } from './query';

/** Brings events to the cells that wait for them. */
export class Feeding {
  /** Numbers the times in which cells only grow. */
  private fullIn = 0;

  constructor(
    private readonly catalogue: Catalogue,
    private readonly present: Present,
  ) {}

  /** Feeds an event, and calls `onChange` for each query of which a cell changed. */
  event(event: EngineEvent, onChange: (query: Query) => void, isWanted: (probe: Probe) => boolean = always): void {
    let ofSteps: Probe[] | null = null;
    for (const probe of this.catalogue.match(event, isWanted)) {
      if (event.time < probe.fullUntil && probe.fullIn === this.fullIn) continue;
      const { steps } = probe;
      if (steps === null) {
        this.feed(probe, event, probe.measure(event), onChange);
        continue;
      }
      steps.matched |= probe.measure(event)[0] ?? 0;
      (ofSteps ??= []).push(probe);
    }
    if (ofSteps !== null) for (const probe of ofSteps) this.feedSteps(probe, event, onChange);
  }

  /** Has to be called when anything may have been taken out of cells that still counts. */
  forgetFull(): void {
    this.fullIn++;
  }

  /** Feeds a transition of a cohort. */
  transition({ id, entered, exited }: KnownCohort, entry: boolean, onChange: (query: Query) => void): void {
    const name = entry ? 'SegmentEntry' : 'SegmentExit';
    const probes = entry ? entered : exited;
    const isAwaited = this.catalogue.awaits(name);
    if (probes.length === 0 && !isAwaited) return;
    const { now: time, session, view } = this.present;
    const properties = { segment_number: /^\d+$/.test(id) ? Number(id) : id };
    const event = { name, time, properties, session_id: session?.id ?? null, view_id: view?.id ?? null };
    for (const probe of probes) this.feed(probe, event, probe.measure(event), onChange);
    if (isAwaited) this.event(event, onChange);
  }

  /** All steps of a sequence that an event matches are taken at once, when the first of its probes is fed. */
  private feedSteps(probe: Probe, event: EngineEvent, onChange: (query: Query) => void): void {
    const steps = probe.steps as NonNullable<Probe['steps']>;
    const { matched } = steps;
    steps.matched = 0;
    if (matched !== 0) this.feed(probe, event, [matched], onChange);
  }

  private feed(probe: Probe, event: EngineEvent, amounts: readonly number[], onChange: (query: Query) => void): void {
    const { query, cell, spec, scope } = probe;
    // Cells of a session or a view take the events of the current one only.
    if (scope !== undefined && this.present[scope]?.id !== (scope === 'session' ? event.session_id : event.view_id))
      return;
    const { cells } = query;
    const before = cells.own[cell] as Component;
    let after = before;
    const input: CellInput = { time: event.time, amount: 0 };
    for (const amount of amounts) {
      input.amount = amount;
      after = spec.kind.feed(spec, after, input, this.present);
    }
    probe.fullUntil = spec.kind.fullUntil(spec, after);
    probe.fullIn = this.fullIn;
    if (after === before) return;
    cells.own = withCell(cells.own, cell, after);
    onChange(query);
  }
}

const always = (): boolean => true;
