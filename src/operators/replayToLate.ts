import { connect, type Observable, type OperatorFunction, ReplaySubject } from 'rxjs';

/** Values that a late subscriber is given, at most: the latest. */
const maxKept = 100;

/**
 * Shares the source within `read` so that a later subscriber, such as a chunk that has to load, gets the values of
 * before. The source is subscribed to after the stream that `read` makes.
 */
export const replayToLate = <A, B>(read: (heard$: Observable<A>) => Observable<B>): OperatorFunction<A, B> =>
  connect(read, { connector: () => new ReplaySubject<A>(maxKept) });
