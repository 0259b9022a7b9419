import type { CellInput, Component } from '../cells/cell';
import type { EngineEvent } from '../engineEvent';
import type { Probe } from '../index/probe';
import type { Catalogue } from './catalogue';
import type { Present } from './context';
import type { KnownCohort } from './memberships';
import { type Query, withCell } from './query';

/**
 * Brings events to the cells that wait for them. Costs what the index costs, and one operation for each cell that an
 * event concerns.
 */
export class Feeding {
  /**
   * By number of the probe: events before this instant, in ms, find its cell full and change nothing. An array of
   * numbers, because an event asks for many of them, and few of their probes have to be read then.
   */
  private fullUntil = new Float64Array(0);

  constructor(
    private readonly catalogue: Catalogue,
    private readonly present: Present,
  ) {}

  /**
   * Feeds an event to the probes whose predicate it meets, and calls `onChange` for each query of which a cell changed.
   * `isWanted` leaves probes out, as in a replay that rebuilds some of the queries.
   */
  event(happened: EngineEvent, onChange: (query: Query) => void, isWanted?: (probe: Probe) => boolean): void {
    if (this.fullUntil.length < this.catalogue.probes) this.grow();
    const event = this.present.dated(happened);
    const { time } = event;
    const { fullUntil } = this;
    // A full cell does not change. The predicate, the query and the amounts of the event need not be looked at then.
    const takesMore = (probe: Probe): boolean =>
      time >= (fullUntil[probe.number] as number) && isWanted?.(probe) !== false;
    let ofSteps: Probe[] | null = null;
    for (const probe of this.catalogue.match(event, takesMore)) {
      const { steps } = probe;
      if (steps === null) {
        this.feed(probe, event, probe.measure(event), onChange);
        continue;
      }
      // A sequence has a probe for each step. The steps are collected first and taken in together.
      steps.matched |= probe.measure(event)[0] ?? 0;
      (ofSteps ??= []).push(probe);
    }
    if (ofSteps !== null) for (const probe of ofSteps) this.feedSteps(probe, event, onChange);
  }

  /**
   * Makes probes look at their cells again. Has to be called before anything that still counts may be taken out of
   * cells.
   */
  forgetFull(): void {
    this.fullUntil.fill(-Infinity);
  }

  /** Makes the array long enough for all probes. Queries may be added at any time. */
  private grow(): void {
    const grown = new Float64Array(this.catalogue.probes).fill(-Infinity);
    grown.set(this.fullUntil);
    this.fullUntil = grown;
  }

  /**
   * Feeds a transition of a cohort: to the cells that count its entries or exits, and as an event to the queries that
   * name `SegmentEntry` or `SegmentExit`.
   */
  transition({ id, entered, exited }: KnownCohort, entry: boolean, onChange: (query: Query) => void): void {
    const name = entry ? 'SegmentEntry' : 'SegmentExit';
    const probes = entry ? entered : exited;
    const isAwaited = this.catalogue.awaits(name);
    // Nobody counts this transition.
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

  /** Feeds the amounts of one event to one cell, and notes until when the cell is full. */
  private feed(probe: Probe, event: EngineEvent, amounts: readonly number[], onChange: (query: Query) => void): void {
    const { query, cell, spec, scope } = probe;
    const moment = scope === null ? this.present : this.present.momentOf(event, scope);
    if (moment === null) return;
    const { cells } = query;
    const before = cells.own[cell] as Component;
    let after = before;
    const input: CellInput = { time: event.time, amount: 0 };
    for (const amount of amounts) {
      input.amount = amount;
      after = spec.kind.feed(spec, after, input, moment);
    }
    this.fullUntil[probe.number] = spec.kind.fullUntil(spec, after);
    // Cells answer the same list when nothing changes: then nothing is evaluated, saved or sent.
    if (after === before) return;
    cells.own = withCell(cells.own, cell, after);
    onChange(query);
  }
}
