import { defer, from, ignoreElements, mergeMap, NEVER, Observable, type Subscriber, tap, timer } from 'rxjs';

import { isRecord } from '../../codecs/codecs';
import { NetworkError } from '../../model/errors';
import type { Lane, LogLine } from '../logEntry';
import type { InputData, InputError } from '../recorder';

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
      if ('value' in input.data) subscriber.next(input.data.value);
      else if (input.data.error === undefined) subscriber.complete();
      else subscriber.error(replayedError(input.data.error));
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
        const n = (subscriptions.get(name) ?? 0) + 1;
        subscriptions.set(name, n);
        const slot = slots.get(`${name} ${n}`);
        if (slot === undefined) return NEVER;
        return new Observable((subscriber) => {
          slot.subscriber = subscriber;
          deliver(slot);
        });
      }),
    ...doors,
  };
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
    /** What was read there, at this place; null where nothing was noted. */
    read: (door: string, key: string): unknown => {
      const name = `${door} ${key}`;
      const count = (reads.get(name) ?? 0) + 1;
      reads.set(name, count);
      const pending = changes.get(name) ?? [];
      while (isPast(pending[0], placeNow(), count)) values.set(name, pending.shift()?.value);
      return values.get(name) ?? null;
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
      const slot = slots.get(`${type} ${data.n}`) ?? { inputs: [], next: 0 };
      slots.set(`${type} ${data.n}`, slot);
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
