import { contextsOf } from '../../../project/visits/visits';
import { type Bundle, type EngineEvent, type Explanation, type Id, init } from '../../../src/engine/engine';
import type { Query } from '../../../src/engine/evaluate/query';
import { dayMs } from '../../../src/primitives/duration';
import { eventAt, type EventTable } from '../visits/eventTable';

/**
 * One engine that plays one visitor after another. Compiling the definitions takes longer than a visitor's events do,
 * so they are compiled once, and each visitor begins with the state that a fresh engine would have. Not for definitions
 * that depend on one another in a cycle, which `check` refuses.
 */
export interface Player {
  /** Plays a visitor's events. Time then goes on to the end of the table. */
  readonly play: (table: EventTable, visitor: number, daily?: DailyListener) => void;
  /** Whether the visitor that was played last is in a cohort. */
  readonly isMember: (id: Id) => boolean;
  /** Why the visitor that was played last is in a cohort or not. */
  readonly explain: (id: Id) => Explanation | null;
}

/** Told of each UTC day on which a visitor was in the cohort at some moment; days are counted from 1970. */
export interface DailyListener {
  readonly id: Id;
  readonly onMember: (day: number) => void;
}

const source = '00000000-0000-4000-8000-000000000002';
const noContext = { session: null, view: null };

/** Names of events that carry the session and the view of the moment. */
const transitionNames = ['SegmentEntry', 'SegmentExit'];

export const playerOf = (bundle: Bundle): Player => {
  const engine = init({
    event_source_id: source,
    now: 0,
    bundle,
    state: null,
    context: noContext,
    lookups: {},
    pending: [],
  });
  engine.bootstrap();
  const { machine } = engine.parts;
  const queries = [...machine.catalogue.queries.values()];
  // No query is evaluated before the replay, so this is the state of a visitor who has done nothing.
  const bottoms = queries.map(({ cells }) => cells.own);
  const entered = new Set(engine.replay([]).transitions.map(({ id }) => id));
  const initial: readonly Query[] = queries.filter(({ id }) => entered.has(id));
  // A query may hold at first and fail only when it is evaluated again.
  const failed = queries.map((query) => query.failed && !entered.has(query.id));
  const needsContext =
    machine.catalogue.scoped.length > 0 || transitionNames.some((name) => machine.catalogue.awaits(name));

  const begin = (now: number): void => {
    for (let i = 0; i < queries.length; i++) {
      const query = queries[i]!;
      query.cells.own = bottoms[i]!;
      query.failed = failed[i]!;
      if (!query.result) continue;
      query.result = false;
      machine.memberships.of(query.id).member = false;
    }
    machine.forgetFull();
    machine.present.now = now;
    machine.turn((turn) => {
      for (const query of initial) turn.dirty.add(query);
    });
  };

  const isMember = (id: Id): boolean => machine.memberships.isMember(id);
  return {
    isMember,
    explain: engine.explain,
    play: (table, visitor, daily) => {
      const { order, starts, time, name, names } = table;
      const [first, end] = [starts[visitor]!, starts[visitor + 1]!];
      if (first === end) return;
      const parsed = needsContext
        ? Array.from(order.subarray(first, end), (event) => eventAt(table, event))
        : undefined;
      const contexts = parsed && contextsOf(parsed);
      machine.present.enter(contexts?.[0] ?? noContext);
      begin(time[order[first]!]!);
      const days = daily && new Days(daily, isMember, time[order[first]!]!);
      for (let i = first; i < end; i++) {
        const event = order[i]!;
        const at = time[event]!;
        days?.passTo(at, engine.tick);
        if (contexts !== undefined) engine.updateContext(contexts[i - first]!);
        const isAwaited = machine.catalogue.awaits(names[name[event]!]!);
        // The text of an event that no cell counts is not read. Time passes with it all the same.
        const { transitions } = isAwaited
          ? engine.process([parsed?.[i - first] ?? eventAt(table, event)], at)
          : engine.tick(at);
        days?.note(transitions);
      }
      days?.passTo(table.to, engine.tick);
      const { transitions } = engine.tick(table.to);
      days?.note(transitions);
      days?.end();
    },
  };
};

type Transitions = readonly { readonly id: Id; readonly entry: boolean }[];

/** Which days a visitor was in a cohort. Time stops at the end and the beginning of each day, where it may change. */
class Days {
  private day: number;
  private wasMember: boolean;

  constructor(
    private readonly daily: DailyListener,
    private readonly isMember: (id: Id) => boolean,
    start: number,
  ) {
    this.day = Math.floor(start / dayMs);
    this.wasMember = isMember(daily.id);
  }

  note(transitions: Transitions): void {
    if (!this.wasMember && transitions.some(({ id, entry }) => entry && id === this.daily.id)) this.wasMember = true;
  }

  /** Lets all days end that have ended by a moment. */
  passTo(at: number, tick: (now: number) => { readonly transitions: Transitions }): void {
    for (const last = Math.floor(at / dayMs); this.day < last;) {
      this.note(tick((this.day + 1) * dayMs - 1).transitions);
      this.end();
      this.day++;
      this.wasMember = false;
      this.note(tick(this.day * dayMs).transitions);
      this.wasMember ||= this.isMember(this.daily.id);
    }
  }

  end(): void {
    if (this.wasMember) this.daily.onMember(this.day);
  }
}

/** The time that an event of the kinds a cohort counts takes, in µs; undefined where the visits have no such event. */
export const eventMicroseconds = (
  bundle: Bundle,
  visits: readonly (readonly EngineEvent[])[],
  measureMs: number,
): number | undefined => {
  const engine = init({
    event_source_id: source,
    now: 0,
    bundle,
    state: null,
    context: noContext,
    lookups: {},
    pending: [],
  });
  engine.bootstrap();
  engine.replay([]);
  const { catalogue } = engine.parts.machine;
  const awaited = visits.flat().filter(({ name }) => catalogue.awaits(name));
  if (awaited.length === 0) return undefined;
  let [count, spent] = [0, 0];
  while (spent < measureMs && count < 1_000_000) {
    const began = performance.now();
    for (const event of awaited) engine.process([event], event.time);
    spent += performance.now() - began;
    count += awaited.length;
  }
  return (1000 * spent) / count;
};
