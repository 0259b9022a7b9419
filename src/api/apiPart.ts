import type { Observable } from 'rxjs';

import type { VisitStreams } from '../world';

export type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** Some methods of the public object, and what keeps their answers current. */
export interface ApiPart {
  readonly methods: Methods;
  /** Keeps the answers current during a visit. */
  readonly follow?: (visit: VisitStreams) => Observable<unknown>;
  /** Drops what is known of the visitor, because consent was withdrawn. */
  readonly forget?: () => void;
}

/** Answers by callback and by promise. */
export const answer = <A>(value: A, tell: (value: A) => void): Promise<A> => {
  tell(value);
  return Promise.resolve(value);
};
