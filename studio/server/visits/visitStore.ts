import { eventsOf, type EventTable, visitorsOf } from './eventTable';

const chunkBytes = 16 * 1024 * 1024;

type Column = Int32Array | Float64Array;
const sharedInts = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(length * 4));
const sharedFloats = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(length * 8));

const grown = <C extends Column>(column: C, make: (length: number) => C): C => {
  const larger = make(column.length * 2);
  larger.set(column);
  return larger;
};

/** An event to be added. */
export interface AddedEvent {
  readonly visitor: string;
  readonly name: string;
  readonly time: number;
  /** What `visitLine` reads as the event, as UTF-8. */
  readonly text: Uint8Array;
}

/** Collects events, which may come in any order, and hands them out as a table. */
export class VisitStore {
  private readonly chunks: Uint8Array[] = [];
  private used = chunkBytes;
  private chunk = sharedInts(1024);
  private offset = sharedInts(1024);
  private length = sharedInts(1024);
  private name = sharedInts(1024);
  private time = sharedFloats(1024);
  private visitor = new Int32Array(1024);
  private readonly names = new Map<string, number>();
  private readonly visitors = new Map<string, number>();
  private readonly ids: string[] = [];
  private made: EventTable | undefined;
  /** How many events there are. */
  count = 0;

  add({ visitor, name, time, text }: AddedEvent): void {
    if (this.count === this.chunk.length) this.grow();
    if (this.used + text.length > (this.chunks.at(-1)?.length ?? 0)) {
      this.chunks.push(new Uint8Array(new SharedArrayBuffer(Math.max(chunkBytes, text.length))));
      this.used = 0;
    }
    this.chunks.at(-1)!.set(text, this.used);
    const at = this.count++;
    this.chunk[at] = this.chunks.length - 1;
    this.offset[at] = this.used;
    this.length[at] = text.length;
    this.name[at] = numberIn(this.names, name);
    this.time[at] = time;
    const number = numberIn(this.visitors, visitor);
    if (number === this.ids.length) this.ids.push(visitor);
    this.visitor[at] = number;
    this.used += text.length;
    this.made = undefined;
  }

  /** The events that there are by now. The same table until more are added. */
  table(): EventTable {
    return (this.made ??= this.makeTable());
  }

  /** The name by which a visitor is told from others. */
  idOf(visitor: number): string {
    return this.ids[visitor]!;
  }

  /** The number of a visitor; undefined where there is none. */
  numberOf(id: string): number | undefined {
    return this.visitors.get(id);
  }

  /** How many events each name has. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Int32Array(this.names.size);
    for (let i = 0; i < this.count; i++) counts[this.name[i]!]!++;
    return new Map([...this.names].map(([name, number]) => [name, counts[number]!]));
  }

  private makeTable(): EventTable {
    const { count } = this;
    const visitors = this.ids.length;
    const starts = sharedInts(visitors + 1);
    for (let i = 0; i < count; i++) starts[this.visitor[i]! + 1]!++;
    for (let i = 0; i < visitors; i++) starts[i + 1]! += starts[i]!;
    const order = sharedInts(count);
    const next = starts.slice();
    for (let i = 0; i < count; i++) order[next[this.visitor[i]!]!++] = i;
    const { time } = this;
    let [from, to] = [Infinity, -Infinity];
    for (let i = 0; i < visitors; i++) {
      const own = order.subarray(starts[i], starts[i + 1]);
      // Events of one time keep the order in which they came.
      own.sort((a, b) => time[a]! - time[b]! || a - b);
      from = Math.min(from, time[own[0]!]!);
      to = Math.max(to, time[own.at(-1)!]!);
    }
    return {
      chunks: [...this.chunks],
      chunk: this.chunk.subarray(0, count),
      offset: this.offset.subarray(0, count),
      length: this.length.subarray(0, count),
      name: this.name.subarray(0, count),
      time: time.subarray(0, count),
      names: [...this.names.keys()],
      order,
      starts,
      from,
      to,
    };
  }

  private grow(): void {
    this.chunk = grown(this.chunk, sharedInts);
    this.offset = grown(this.offset, sharedInts);
    this.length = grown(this.length, sharedInts);
    this.name = grown(this.name, sharedInts);
    this.time = grown(this.time, sharedFloats);
    this.visitor = grown(this.visitor, (length) => new Int32Array(length));
  }
}

const numberIn = (numbers: Map<string, number>, key: string): number => {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
};

/** The first events of some visitors, for what is measured. */
export const someEvents = (table: EventTable, most: number): readonly ReturnType<typeof eventsOf>[] => {
  const some: ReturnType<typeof eventsOf>[] = [];
  let count = 0;
  for (let visitor = 0; visitor < visitorsOf(table) && count < most; visitor++) {
    const events = eventsOf(table, visitor);
    some.push(events);
    count += events.length;
  }
  return some;
};
