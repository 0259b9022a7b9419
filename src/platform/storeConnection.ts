import type { IDBPObjectStore } from 'idb';
import { noop, Observable } from 'rxjs';

import { nameOf, QuotaError } from '../model/errors';
import { openDatabase, type Opened, type StoreNames } from './openDatabase';
import { hasSafariEngine } from './safariEngine';
import { isQuotaError } from './textStorage';

/**
 * Writes after which Safari gets a new connection (spec C§9). Safari slows down, and then fails, on a connection that
 * has written much.
 */
const safariWrites = 30;

/** The browser's name for itself, and who hears of missing object stores. */
export interface StoreConnectionDeps {
  readonly userAgent: string;
  readonly report: (message: string) => void;
}

/** A transaction on one object store. The requests of the transaction end when `done` resolves. */
interface Transaction {
  readonly store: IDBPObjectStore<unknown, string[], string, 'readwrite'>;
  readonly done: Promise<void>;
}

/** Begins a transaction on one object store. Throws where the operation has been unsubscribed. */
export type Begin = (storeName: string, mode?: 'readwrite') => Transaction;

/** The connection was closed under an operation: by another tab, or by the browser (spec C§8). */
class StoreClosingError extends Error {
  override readonly name = 'StoreClosingError';

  constructor(what: string) {
    super(`Attempted ${what} when the current store is closing.`);
  }
}

/**
 * Makes the connection for the object stores of a workspace.
 *
 * An operation that fails is repeated once with a new connection, which is the remedy for one that the browser or
 * another tab has closed. A lack of room leads to a repetition only the first time: closing the connection lets the
 * browser compact what was deleted (spec C§4).
 */
export const storeConnection = (names: StoreNames, { userAgent, report }: StoreConnectionDeps) => {
  const maxWrites = hasSafariEngine(userAgent) ? safariWrites : Infinity;
  // The open connection, or its opening. Operations that begin meanwhile share it.
  let opening: Promise<Opened> | undefined;
  let writes = 0;
  let isCompacted = false;

  const close = (): void => {
    opening?.then(({ db }) => db.close(), noop);
    opening = undefined;
    writes = 0;
  };

  /**
   * Whether a failed operation is worth a repetition. A lack of room is, once in all; another failure is, once per
   * operation.
   */
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
    // Tells a lack of room for the data from one for the database itself.
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
      // Nobody waits for the result of a cancelled operation, so it is not repeated.
      if (isCancelled() || !isWorthRepeating(isQuotaError(error), isRepetition)) throw storeError(error, what, isOpen);
      close();
      return attempt(what, action, isCancelled, true);
    }
  };

  return {
    /**
     * Runs an operation at subscription; `what` is its name in errors. Emits the result. After unsubscription the
     * operation begins no further transaction.
     */
    operation: <A>(what: string, action: (opened: Opened, begin: Begin) => Promise<A>): Observable<A> =>
      new Observable((subscriber) => {
        attempt(what, action, () => subscriber.closed).then(
          (value) => {
            subscriber.next(value);
            subscriber.complete();
          },
          (error: unknown) => subscriber.error(error),
        );
      }),
    /** Waits for the requests of a write, and counts the write for Safari's limit. */
    written: async (requests: readonly Promise<unknown>[]): Promise<void> => {
      await Promise.all(requests);
      if ((writes += 1) >= maxWrites) close();
    },
  };
};

/**
 * A connection to the database. The connection is opened at first use, kept for all operations, and opened anew after a
 * failure that a new connection may remedy.
 */
export type StoreConnection = ReturnType<typeof storeConnection>;

/** What browsers throw where the connection is closed or the object store has gone. */
const closedNames = ['NotFoundError', 'InvalidStateError'];

/**
 * The error as callers know it. A lack of room counts as one only where the database could be opened: a store without
 * room for even its key is of no use.
 */
const storeError = (error: unknown, what: string, isOpen: boolean): unknown => {
  if (isOpen && isQuotaError(error)) return new QuotaError();
  return closedNames.includes(nameOf(error)) ? new StoreClosingError(what) : error;
};

const transactionOf = ({ db }: Opened, storeName: string, mode?: 'readwrite'): Transaction => {
  const transaction = db.transaction([storeName], mode as 'readwrite');
  // Reading operations do not wait for `done`. Without a handler, its rejection would reach the page's onerror.
  transaction.done.catch(noop);
  return { store: transaction.objectStore(storeName), done: transaction.done };
};
