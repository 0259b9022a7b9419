import type { Period } from '../../model/engineCommands';
import type { CellMoment, Scope } from '../cells/cell';
import type { EngineEvent } from '../engineEvent';
import { h53 } from '../language/murmur';
import { norm } from '../language/text';

/** The session and the view that the page is in. */
export interface Context {
  /** Null where there is none: then nothing counts in cells of the session. */
  readonly session: Period | null;
  /** Null where there is none: then nothing counts in cells of the view. */
  readonly view: Period | null;
}

/**
 * The present of the engine: its clock, which never runs backwards, and its context. One object for the life of the
 * engine, which compiled conditions hold.
 */
export class Present implements CellMoment {
  now: number;
  session: Scope | null = null;
  view: Scope | null = null;

  constructor(now: number, context: Context) {
    this.now = now;
    this.enter(context);
  }

  /** Sets the clock; a time before the present is ignored. */
  advance(now: number): void {
    if (now > this.now) this.now = now;
  }

  /**
   * An event as of now where it is of the future, because clocks of devices may be wrong. The time is set once, when
   * the event is taken in, so that the event ages from then on.
   */
  dated(event: EngineEvent): EngineEvent {
    return event.time > this.now ? { ...event, time: this.now } : event;
  }

  /**
   * The moment in which an event counts in cells of the session or of the view; null where it counts in none. Cells of
   * the view take the events of the current one only. A session that another tab has begun is one that this page will
   * join: its events count before that.
   */
  momentOf(event: EngineEvent, scope: 'session' | 'view'): CellMoment | null {
    const { now, session, view } = this;
    if (scope === 'view') return view?.id === event.view_id ? this : null;
    const { session_id: id = null, time } = event;
    if (session?.id === id) return this;
    if (session === null || id === null || time <= session.startedAt) return null;
    return { now, view, session: scopeOf({ id, startedAt: time }) };
  }

  /** Takes over the context. Answers whether the session or the view is another one than before. */
  enter({ session, view }: Context): boolean {
    const before = [this.session?.id, this.view?.id];
    this.session = scopeOf(session);
    this.view = scopeOf(view);
    return before[0] !== this.session?.id || before[1] !== this.view?.id;
  }
}

/** Hashes the id once, because every cell of a session or view compares it. */
const scopeOf = (period: Period | null): Scope | null =>
  period === null ? null : { id: period.id, startedAt: period.startedAt, hash: h53(norm(period.id), 0) };
