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

/** A list in memory that can be emptied. */
export interface Journal<T> {
  readonly add: (item: T) => T;
  readonly all: () => readonly T[];
  readonly clear: () => void;
}

export const journal = <T>(): Journal<T> => {
  let items: T[] = [];
  return {
    add: (item) => {
      items.push(item);
      return item;
    },
    all: () => items,
    clear: () => {
      items = [];
    },
  };
};
