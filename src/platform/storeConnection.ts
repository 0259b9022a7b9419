import type { IDBPObjectStore } from 'idb';
import { Observable } from 'rxjs';

import { nameOf, QuotaError } from '../model/errors';
import { openDatabase, type Opened, type StoreNames } from './openDatabase';
import { isQuotaError } from './textStorage';

/**
 * Safari slows down, and then fails, on a connection that has written much: it gets a new one after this many writes
 * (spec C§9).
 */
const safariWrites = 30;

export interface StoreConnectionDeps {
  readonly userAgent: string;
  readonly report: (message: string) => void;
}

interface Transaction {
  readonly store: IDBPObjectStore<unknown, string[], string, 'readwrite'>;
  readonly done: Promise<void>;
}

/** Begins a transaction on one object store, or throws where nobody waits for the operation any more. */
export type Begin = (storeName: string, mode?: 'readwrite') => Transaction;

/** A connection to the database, made at first use and made anew where a new one is the remedy. */
export interface StoreConnection {
  /** Runs an operation at subscription; `what` is its name in errors. After unsubscription it begins no transaction. */
  readonly operation: <A>(what: string, action: (opened: Opened, begin: Begin) => Promise<A>) => Observable<A>;
  /** Waits for the requests of a write, and counts it. */
  readonly written: (requests: readonly Promise<unknown>[]) => Promise<void>;
}

/** The connection was closed under an operation: by another tab, or by the browser (spec C§8). */
class StoreClosingError extends Error {
  override readonly name = 'StoreClosingError';

  constructor(what: string) {
    super(`Attempted ${what} when the current store is closing.`);
  }
}

export const storeConnection = (names: StoreNames, { userAgent, report }: StoreConnectionDeps): StoreConnection => {
  const maxWrites = hasSafariEngine(userAgent) ? safariWrites : Infinity;
  // Kept, because opening costs more than reading.
  let opening: Promise<Opened> | undefined;
  let writes = 0;
  let isCompacted = false;

  const close = (): void => {
    opening?.then(({ db }) => db.close(), ignore);
    opening = undefined;
    writes = 0;
  };

  /** A new connection is the remedy for one that was closed. Once, it also has the browser compact what was deleted. */
  const isWorthRepeating = (isFull: boolean, isRepetition: boolean): boolean => {
    if (!isFull) return !isRepetition;
    const wasCompacted = isCompacted;
    isCompacted = true;
    return !wasCompacted;
  };

  const attempt = async <A>(
    what: string,
    action: (opened: Opened, begin: Begin) => Promise<A>,
    isCancelled: () => boolean,
    isRepetition = false,
  ): Promise<A> => {
    const stillWanted = (): void => {
      if (isCancelled()) throw new StoreClosingError(what);
    };
    let isOpen = false;
    try {
      opening ??= openDatabase(names, { stillWanted, onClose: () => (opening = undefined), report });
      const opened = await opening;
      isOpen = true;
      return await action(opened, (storeName, mode) => {
        stillWanted();
        return transactionOf(opened, storeName, mode);
      });
    } catch (error) {
      if (isCancelled() || !isWorthRepeating(isQuotaError(error), isRepetition)) throw storeError(error, what, isOpen);
      close();
      return attempt(what, action, isCancelled, true);
    }
  };

  return {
    operation: (what, action) =>
      new Observable((subscriber) => {
        attempt(what, action, () => subscriber.closed).then(
          (value) => {
            subscriber.next(value);
            subscriber.complete();
          },
          (error: unknown) => subscriber.error(error),
        );
      }),
    written: async (requests) => {
      await Promise.all(requests);
      if ((writes += 1) >= maxWrites) close();
    },
  };
};

/** What browsers throw where the connection is closed or the object store has gone. */
const closedNames = ['NotFoundError', 'InvalidStateError'];

/**
 * A lack of room is one only where the database could be opened. A store without room for even its key is of no use.
 */
const storeError = (error: unknown, what: string, isOpen: boolean): unknown => {
  if (isOpen && isQuotaError(error)) return new QuotaError();
  return closedNames.includes(nameOf(error)) ? new StoreClosingError(what) : error;
};

/** Every browser of iOS is Safari inside. */
const hasSafariEngine = (userAgent: string): boolean => /AppleWebKit(?!.*Chrome)/.test(userAgent);

const transactionOf = ({ db }: Opened, storeName: string, mode?: 'readwrite'): Transaction => {
  const transaction = db.transaction([storeName], mode as 'readwrite');
  // Reading operations do not wait for `done`; without a handler its rejection would reach the page's onerror.
  transaction.done.catch(ignore);
  return { store: transaction.objectStore(storeName), done: transaction.done };
};

const ignore = (): void => undefined;
