import { defer, from, ignoreElements, mergeMap, NEVER, Observable, type Subscriber, tap, timer } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import { NetworkError } from '../../model/errors';
import type { Lane, LogLine } from '../logEntry';
import { type InputData, type InputError, numbered } from '../recorder';
import { scopeOf } from '../scope';

/** Gives the SDK what a recorder has noted, at the same places. The counterpart of `Recorder`. */
export type Playback = ReturnType<typeof playbackOf>;

/** An input of the log, and the place among the inputs at which it came. */
interface RecordedInput {
  readonly t: number;
  readonly place: number;
  readonly data: InputData;
  isDue: boolean;
}

/** The inputs of one subscription, and who has subscribed. */
interface InputQueue {
  readonly by: string;
  readonly inputs: RecordedInput[];
  next: number;
  subscriber?: Subscriber<unknown>;
}

/** What was drawn at a place. */
interface Drawn {
  readonly place: number;
  readonly value: unknown;
}

/** A value that a door answers from a place on, at the read of that number after it. */
interface Change extends Drawn {
  readonly after: number;
}

/** Makes the playback of a log. `played`: streams whose quiet values are inputs, too, because nobody makes them. */
export const playbackOf = (lines: readonly LogLine[], played: (name: string) => boolean) => {
  const { slots, changes, draws, inputs } = indexed(lines, played);
  const subscriptions = new Map<string, number>();
  // For whom the SDK subscribes, as in the recorder.
  const { current, within } = scopeOf('');
  let place = 0;
  const doors = playedDoors(changes, draws, () => place);

  const advance = (to: number): void => {
    if (to <= place) return;
    place = to;
    doors.begin();
  };
  /** Hands on the inputs that are due, or that came while subscribing. */
  const deliver = (slot: InputQueue): void => {
    for (;;) {
      const [input, { subscriber }] = [slot.inputs[slot.next], slot];
      if (input === undefined || subscriber === undefined || !(input.isDue || input.data.sync === true)) return;
      slot.next += 1;
      advance(input.place);
      within(slot.by, () => give(subscriber, input.data));
    }
  };
  return {
    /** Plays the inputs, each at its time. The stream is subscribed before anything that listens to the inputs. */
    run$: from(inputs.filter(({ input }) => input.data.sync !== true)).pipe(
      mergeMap(({ slot, input }) =>
        timer(input.t).pipe(
          tap(() => {
            input.isDue = true;
            advance(input.place);
            deliver(slot);
          }),
        ),
      ),
      ignoreElements(),
    ),
    /**
     * The values that a stream of this name had, at the subscription of the same number. The stream is silent where no
     * value is noted.
     */
    hear: (name: string): Observable<unknown> =>
      defer(() => {
        const of = `${current()} ${name}`;
        const slot = slots.get(`${of} ${numbered(subscriptions, of)}`);
        if (slot === undefined) return NEVER;
        return new Observable((subscriber) => {
          slot.subscriber = subscriber;
          deliver(slot);
        });
      }),
    /** Runs an action for an addon, as the recorder has. */
    within,
    ...doors,
  };
};

const give = (subscriber: Subscriber<unknown>, data: InputData): void => {
  if ('value' in data) subscriber.next(data.value);
  else if (data.error === undefined) subscriber.complete();
  else subscriber.error(replayedError(data.error));
};

/** The doors that answer at once. `begin` is called at each place, from which reads are counted anew. */
const playedDoors = (
  changes: ReadonlyMap<string, Change[]>,
  draws: ReadonlyMap<string, Drawn[]>,
  placeNow: () => number,
) => {
  const values = new Map<string, unknown>();
  const reads = new Map<string, number>();
  return {
    begin: (): void => reads.clear(),
    /**
     * What was read there, at this place; null where nothing was noted. A replay whose timers are due sooner than those
     * of a busy page reads before the page has: it gets what the page read first.
     */
    read: (door: string, key: string): unknown => {
      const name = `${door} ${key}`;
      const count = numbered(reads, name);
      const pending = changes.get(name) ?? [];
      while (isPast(pending[0], placeNow(), count)) values.set(name, pending.shift()?.value);
      return (values.has(name) ? values.get(name) : pending[0]?.value) ?? null;
    },
    /** The SDK has written there, and the door answers with that. */
    wrote: (door: string, key: string, value: unknown): void => void values.set(`${door} ${key}`, value),
    /** What was drawn next; undefined where the log has no more. */
    draw: (door: string): unknown => {
      const pending = draws.get(door) ?? [];
      // What was drawn before inputs that have been played already is of another turn.
      while ((pending[0]?.place ?? Infinity) < placeNow()) pending.shift();
      return pending.shift()?.value;
    },
  };
};

const isPast = (change: Change | undefined, place: number, count: number): boolean =>
  change !== undefined && (change.place < place || (change.place === place && change.after <= count));

const replayedError = ({ name, message, network }: InputError): Error =>
  network === undefined ? Object.assign(new Error(message), { name }) : new NetworkError(network);

/** Lanes of what the SDK has taken in. The other lanes say what the SDK has made of it. */
const inputLanes: readonly Lane[] = ['calls', 'signals', 'engine', 'uploads', 'consent', 'door'];

/** The lines by what they are: inputs by name and subscription, changes of what is read, and what is drawn. */
const indexed = (lines: readonly LogLine[], played: (name: string) => boolean) => {
  const slots = new Map<string, InputQueue>();
  const changes = new Map<string, Change[]>();
  const draws = new Map<string, Drawn[]>();
  const inputs: { readonly slot: InputQueue; readonly input: RecordedInput }[] = [];
  let place = 0;
  for (const { t, lane, type, data } of lines) {
    if (!inputLanes.includes(lane) || !isRecord(data)) continue;
    if (lane === 'door' && type === 'read') {
      const { door, key, value, after } = data as unknown as Change & { readonly door: string; readonly key: string };
      listIn(changes, `${door} ${key}`).push({ place, after, value });
    } else if (lane === 'door' && type === 'draw') {
      listIn(draws, String(data['door'])).push({ place, value: data['value'] });
    } else if (isInput(data)) {
      if (data.quiet === true && !played(type)) continue;
      place += 1;
      const input = { t, place, data, isDue: false };
      const { by = '', n } = data;
      const slot = slots.get(`${by} ${type} ${n}`) ?? { by, inputs: [], next: 0 };
      slots.set(`${by} ${type} ${n}`, slot);
      slot.inputs.push(input);
      inputs.push({ slot, input });
    }
  }
  return { slots, changes, draws, inputs };
};

const isInput = (data: object): data is InputData => 'n' in data && ('value' in data || 'end' in data);

const listIn = <A>(lists: Map<string, A[]>, name: string): A[] => {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
};
