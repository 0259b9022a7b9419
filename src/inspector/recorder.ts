import { defer, merge, type Observable, tap } from 'rxjs';

import { messageOf, nameOf, NetworkError } from '../model/errors';
import { perform } from '../operators/creators/perform';
import { tagged } from '../operators/tagged';
import type { Log } from './log';
import type { Lane } from './logEntry';
import { scopeOf } from './scope';

/** How the values of a stream are noted. */
export interface Recording<A> {
  /** Default: `door`. */
  readonly lane?: Lane | ((value: A) => Lane);
  /** What is noted of a value, as JSON has it. Default: the value. */
  readonly dataOf?: (value: A) => unknown;
  /** Whether a value is an input that a replay plays. Default: it is. */
  readonly isInput?: () => boolean;
  /** Ids of the entries that a value comes from. Default: what is being handed on. */
  readonly causesOf?: (value: A) => readonly number[] | undefined;
  /** Called with the entry of a value before the value is handed on. */
  readonly onNoted?: (value: A, id: number) => void;
}

/**
 * Notes what the SDK takes from the browser, so that a replay can give it the same at the same place.
 *
 * A stream is an input: each of its values is noted with the name of the stream, the number of the subscription, and
 * whether it came while subscribing. What is read at once, such as a setting, is noted the first time and where it has
 * changed, with the number of reads since the last input. What is drawn, such as an id, is noted each time.
 */
export type Recorder = ReturnType<typeof recorderOf>;

/** Data of an input: a value, or the end of its stream. */
export type InputData = InputMarks & (InputValue | InputEnd);

interface InputMarks {
  /** Number of the subscription among those of this name and caller, from 1. */
  readonly n: number;
  /** The addon that has subscribed. */
  readonly by?: string;
  /** The input came while subscribing. */
  readonly sync?: true;
  /** The line is no input, because a replay makes the value by itself. */
  readonly quiet?: true;
}
interface InputValue {
  readonly value: unknown;
}
interface InputEnd {
  readonly end: true;
  /** The stream has failed. */
  readonly error?: InputError;
}

/** An error as JSON has it. */
export interface InputError {
  readonly name: string;
  readonly message: string;
  readonly network?: NetworkError['kind'];
}

/** Makes the recorder of one page. */
export const recorderOf = (log: Log, isSame: (a: unknown, b: unknown) => boolean) => {
  const subscriptions = new Map<string, number>();
  /** For whom the SDK subscribes: an addon by its name, or the SDK itself, which has no name. */
  const { current, within } = scopeOf('');
  const known = new Map<string, unknown>();
  /** Reads since the last input, by door and key. */
  const reads = new Map<string, number>();

  const input = (lane: Lane, type: string, data: InputData, causes?: readonly number[]): number => {
    if (data.quiet !== true) reads.clear();
    return log.note({ lane, type, data, causes });
  };
  /** The source, noted under this name. */
  const hear = <A>(
    name: string,
    source$: Observable<A>,
    { lane = 'door', dataOf = identity, isInput = () => true, causesOf, onNoted }: Recording<A> = {},
  ): Observable<A> =>
    defer(() => {
      const by = current();
      const n = numbered(subscriptions, `${by} ${name}`);
      let sync: { readonly sync?: true } = { sync: true };
      const marks = () => ({ n, ...(by !== '' && { by }), ...sync, ...(!isInput() && { quiet: true as const }) });
      const ended = (error?: unknown): void =>
        void input('door', name, { ...marks(), end: true, ...(error !== undefined && { error: errorOf(error) }) });
      const noted$ = source$.pipe(
        tap({ complete: () => ended(), error: ended }),
        tagged((value, handOn) => {
          const id = input(
            typeof lane === 'function' ? lane(value) : lane,
            name,
            { ...marks(), value: dataOf(value) ?? null },
            causesOf?.(value),
          );
          onNoted?.(value, id);
          log.during(id, () => within(by, handOn));
        }),
      );
      return merge(
        noted$,
        perform(() => (sync = {})),
      );
    });
  return {
    hear,
    /** Runs an action for an addon, whose subscriptions are counted by themselves. */
    within,
    /** Answers what was read, noted under these names. `undefined` is noted as null. */
    read: <A>(door: string, key: string, value: A): A => {
      const name = `${door} ${key}`;
      const after = numbered(reads, name);
      const data = value ?? null;
      if (known.has(name) && isSame(known.get(name), data)) return value;
      known.set(name, data);
      log.note({ lane: 'door', type: 'read', data: { door, key, value: data, after } });
      return value;
    },
    /** What the door will answer is known, because the SDK has just written it. */
    wrote: (door: string, key: string, value: unknown): void => void known.set(`${door} ${key}`, value ?? null),
    /** Answers what was drawn, noted. */
    draw: <A>(door: string, value: A): A => {
      log.note({ lane: 'door', type: 'draw', data: { door, value } });
      return value;
    },
  };
};

/** The next number under that name, from 1. */
export const numbered = (numbers: Map<string, number>, name: string): number => {
  const next = (numbers.get(name) ?? 0) + 1;
  numbers.set(name, next);
  return next;
};

const identity = (value: unknown): unknown => value;

const errorOf = (error: unknown): InputError => ({
  name: nameOf(error),
  message: messageOf(error),
  ...(error instanceof NetworkError && { network: error.kind }),
});
