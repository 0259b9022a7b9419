import type { CellMoment, Scope } from '../cells/cell';
import { h53 } from '../language/murmur';
import { norm } from '../language/text';

/** The session and the view that the page is in. */
export interface Context {
  readonly session: Period | null;
  readonly view: Period | null;
}

interface Period {
  readonly id: string;
  readonly startedAt: number;
}

/** The present of the engine: its clock, which never runs backwards, and its context. */
export class Present implements CellMoment {
  now: number;
  session: Scope | null = null;
  view: Scope | null = null;

  constructor(now: number, context: Context) {
    this.now = now;
    this.enter(context);
  }

  advance(now: number): void {
    if (now > this.now) this.now = now;
  }

  /** Answers whether the session or the view is another one. */
  enter({ session, view }: Context): boolean {
    const before = [this.session?.id, this.view?.id];
    this.session = scopeOf(session);
    this.view = scopeOf(view);
    return before[0] !== this.session?.id || before[1] !== this.view?.id;
  }
}

const scopeOf = (period: Period | null): Scope | null =>
  period === null ? null : { id: period.id, startedAt: period.startedAt, hash: h53(norm(period.id), 0) };
