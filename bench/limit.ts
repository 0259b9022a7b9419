import type { EngineEvent } from '../src/engine/engineEvent';
import { LimitIndex, type Page } from './limitIndex';
import type { Rule } from './rules';

// What the engine is held against: the same job written by hand for nothing but the bench's own rules. No language,
// no case folding, no other devices, nothing to save; property names, window layout and kinds of cells are built in.

const buckets = 100;

/** A windowed cell: pairs of bucket and amount (or view), oldest first. */
class Cell {
  private readonly width: number;
  private pairs: number[] = [];

  constructor(
    windowMs: number,
    private readonly cap: number,
    private readonly distinct: boolean,
  ) {
    this.width = windowMs / buckets;
  }

  /** Answers whether anything changed. */
  add(time: number, amount: number): boolean {
    const bucket = Math.floor(time / this.width);
    const { pairs, cap, distinct } = this;
    if (distinct) {
      for (let i = 1; i < pairs.length; i += 2)
        if (pairs[i] === amount) {
          if (pairs[i - 1] === bucket) return false;
          pairs.splice(i - 1, 2);
          break;
        }
      pairs.push(bucket, amount);
      if (pairs.length > 2 * cap) pairs.splice(0, pairs.length - 2 * cap);
      return true;
    }
    const last = pairs.length - 1;
    if (pairs[last - 1] !== bucket) pairs.push(bucket, Math.min(amount, cap));
    else if ((pairs[last] as number) >= cap) return false;
    else pairs[last] = Math.min((pairs[last] as number) + amount, cap);
    this.dropDecided();
    return true;
  }

  value(now: number): number {
    const oldest = Math.floor(now / this.width) - buckets;
    const { pairs, distinct } = this;
    let sum = 0;
    for (let i = pairs.length - 2; i >= 0 && (pairs[i] as number) > oldest; i -= 2)
      sum += distinct ? 1 : (pairs[i + 1] as number);
    return sum;
  }

  /** When the next bucket leaves the window. */
  nextExit(now: number): number {
    const oldest = Math.floor(now / this.width) - buckets;
    for (let i = 0; i < this.pairs.length; i += 2)
      if ((this.pairs[i] as number) > oldest) return ((this.pairs[i] as number) + buckets) * this.width;
    return Infinity;
  }

  private dropDecided(): void {
    let at = this.pairs.length - 2;
    for (let sum = this.pairs[at + 1] as number; at > 0 && sum < this.cap; sum += this.pairs[at + 1] as number) at -= 2;
    if (at > 0) this.pairs = this.pairs.slice(at);
  }
}

/** Memberships of the bench's rules, kept up to date by hand. */
export class Limit {
  private readonly index: LimitIndex;
  private readonly cells: readonly (Cell | null)[];
  private readonly low: Float64Array;
  private readonly high: Float64Array;
  private readonly members: Uint8Array;
  private readonly exits: Float64Array;
  private readonly dependents: readonly number[][];
  private readonly enteredBy: readonly number[][];
  private readonly numbers: ReadonlyMap<string, number>;
  private nextExit = Infinity;
  private readonly viewNumbers = new Map<string, number>();

  constructor(private readonly rules: readonly Rule[]) {
    this.index = new LimitIndex(rules);
    this.numbers = new Map(rules.map(({ id }, number) => [id, number]));
    const unit = (rule: Rule): number => (rule.kind === 'sum' ? 1000 : 1);
    this.low = Float64Array.from(rules, (rule) => ('low' in rule ? rule.low * unit(rule) : 0));
    this.high = Float64Array.from(rules, (rule) => ('high' in rule ? rule.high * unit(rule) : Infinity));
    this.cells = rules.map((rule, i) =>
      rule.kind === 'combination'
        ? null
        : new Cell(
            rule.windowMs,
            (this.high[i] === Infinity ? this.low[i] : (this.high[i] as number) + 1) as number,
            rule.kind === 'views',
          ),
    );
    this.members = new Uint8Array(rules.length);
    this.exits = new Float64Array(rules.length).fill(Infinity);
    this.dependents = rules.map(() => []);
    this.enteredBy = rules.map(() => []);
    rules.forEach((rule, i) => {
      if (rule.kind === 'entered') this.enteredBy[this.numbers.get(rule.of) ?? -1]?.push(i);
      if (rule.kind === 'combination')
        for (const id of [...rule.any, ...rule.not]) this.dependents[this.numbers.get(id) ?? -1]?.push(i);
    });
  }

  /** Only finds the rules that an event meets. */
  match(event: EngineEvent): number {
    this.index.match(event);
    return this.index.found;
  }

  /** Counts an event; answers how many memberships changed. */
  process(event: EngineEvent): number {
    const { time } = event;
    const dirty: number[] = [];
    this.index.match(event);
    for (let i = 0; i < this.index.found; i++) {
      const rule = this.index.matched[i] as number;
      if (this.cells[rule]?.add(time, this.amount(rule, event)) === true) dirty.push(rule);
    }
    if (time >= this.nextExit) this.addDue(time, dirty);
    return dirty.length === 0 ? 0 : this.settle(dirty, time);
  }

  memberIds(): readonly string[] {
    return this.rules.filter((_, i) => this.members[i] === 1).map(({ id }) => id);
  }

  private amount(rule: number, { properties, view_id }: EngineEvent): number {
    const kind = (this.rules[rule] as Rule).kind;
    if (kind === 'count') return 1;
    if (kind === 'sum') return Math.round((properties as Page).engaged_time as number) * 1000;
    const view = view_id as string;
    const known = this.viewNumbers.get(view);
    if (known === undefined) this.viewNumbers.set(view, this.viewNumbers.size);
    return known ?? this.viewNumbers.size - 1;
  }

  private addDue(time: number, dirty: number[]): void {
    this.nextExit = Infinity;
    for (let i = 0; i < this.exits.length; i++) {
      const exit = this.exits[i] as number;
      if (exit <= time) {
        this.exits[i] = Infinity;
        dirty.push(i);
      } else if (exit < this.nextExit) this.nextExit = exit;
    }
  }

  private settle(first: number[], time: number): number {
    let changed = 0;
    for (let dirty = first; dirty.length > 0;) {
      const flips: number[] = [];
      for (const rule of dirty)
        if ((this.holds(rule, time) ? 1 : 0) !== this.members[rule] && !flips.includes(rule)) flips.push(rule);
      dirty = [];
      for (const rule of flips) {
        this.members[rule] = 1 - (this.members[rule] as number);
        dirty.push(...(this.dependents[rule] as number[]));
        if (this.members[rule] === 1)
          for (const counter of this.enteredBy[rule] as number[])
            if (this.cells[counter]?.add(time, 1) === true) dirty.push(counter);
      }
      changed += flips.length;
    }
    return changed;
  }

  private holds(number: number, time: number): boolean {
    const cell = this.cells[number];
    if (cell) {
      const exit = (this.exits[number] = cell.nextExit(time));
      if (exit < this.nextExit) this.nextExit = exit;
      const value = cell.value(time);
      return value >= (this.low[number] as number) && value <= (this.high[number] as number);
    }
    const rule = this.rules[number];
    if (rule?.kind !== 'combination') return false;
    let count = 0;
    for (const id of rule.any) count += this.isMember(id);
    return count >= rule.min && rule.not.every((id) => this.isMember(id) === 0);
  }

  private isMember(id: string): number {
    return this.members[this.numbers.get(id) as number] as number;
  }
}
