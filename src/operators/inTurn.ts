import { concatMap, type Observable, type OperatorFunction, queueScheduler, subscribeOn } from 'rxjs';

/**
 * As `concatMap`, for values that wait in thousands. With `concatMap`, work that ends at once begins the next within
 * its own end. So two hundred such values can overflow the stack of a worker, after which nothing is done any more.
 * Here, the work that waits is done in a loop.
 */
export const inTurn = <Value, Result>(work: (value: Value) => Observable<Result>): OperatorFunction<Value, Result> =>
  concatMap((value) => work(value).pipe(subscribeOn(queueScheduler)));
