import { keptLimits } from './boundedMap';
import { ring } from './ring';

/** Requests as they came in; `status` is null while there is no answer, and stays so when none was given. */
export interface LoggedRequest {
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string | null;
  /** Whether the request carried a cookie: credentials were included. */
  readonly cookie: boolean;
  readonly origin: string | null;
  readonly bytes: number;
  /** The body as text, except for events, which `/good` and `/bad` show. */
  readonly body: string | null;
  status: number | null;
}

/** What was not accepted, and why. */
export interface Rejected {
  readonly time: string;
  readonly call: string;
  readonly status: number;
  readonly message: string;
  readonly errors: readonly { readonly path: string; readonly expected: string }[];
  readonly input: unknown;
}

/** A list in memory that can be emptied. It loses its oldest items once it is full. */
export interface Journal<T> {
  readonly add: (item: T) => T;
  readonly all: () => readonly T[];
  readonly clear: () => void;
}

/** `bytesOf`: how much of the room an item takes. */
export const journal = <T>(bytesOf: (item: T) => number): Journal<T> => {
  const items = ring<T>(keptLimits);
  return {
    add: (item) => {
      items.add(item, bytesOf(item));
      return item;
    },
    all: items.all,
    clear: items.clear,
  };
};
