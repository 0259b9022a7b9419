/** The result of a request. Rejects with its error. */
export const resultOf = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? aborted());
  });

/** Resolves when a transaction is complete. Rejects with the error of the request that has failed, or of the commit. */
export const endOf = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (): void => reject(transaction.error ?? aborted());
    transaction.oncomplete = () => resolve();
    transaction.onerror = fail;
    transaction.onabort = fail;
  });

/** Some browsers give no error where they abort by themselves. */
const aborted = (): Error => new DOMException('The transaction was aborted.', 'AbortError');
