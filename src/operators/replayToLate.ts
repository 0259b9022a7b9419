import { connect, type Observable, type OperatorFunction, ReplaySubject } from 'rxjs';

/** What a late reader is told of before. */
const maxReplayed = 100;

/**
 * Gives the source to `read` so that whoever it subscribes later, such as a chunk that has to load, has missed nothing.
 */
export const replayToLate = <A, B>(read: (heard$: Observable<A>) => Observable<B>): OperatorFunction<A, B> =>
  connect(read, { connector: () => new ReplaySubject<A>(maxReplayed) });
