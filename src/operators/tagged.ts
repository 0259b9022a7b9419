import { mergeMap, type MonoTypeOperatorFunction, Observable } from 'rxjs';

/** Notes a value, and calls `handOn` once. What happens meanwhile happens because of the value. */
export type Tap<A> = (value: A, handOn: () => void) => void;

/**
 * Lets a tap note each value before it is handed on. Values, completion and errors pass unchanged.
 *
 *     source:  -a-b-|
 *     noted:   -a-b--
 *     result:  -a-b-|
 */
export const tagged = <A>(tap: Tap<A>): MonoTypeOperatorFunction<A> =>
  mergeMap(
    (value) =>
      new Observable<A>((subscriber) => {
        tap(value, () => subscriber.next(value));
        subscriber.complete();
      }),
  );
