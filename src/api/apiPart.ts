import type { Observable } from 'rxjs';

import type { Consent } from '../model/consent';
import type { VisitStreams } from './observer';
import type { PublicMethods } from './publicMethods';

/** Public methods by name, as the tag's queue looks them up. */
export type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** Some methods of the public object, and how their answers stay current. */
export interface ApiPart {
  /** The methods of the part, by their public names. */
  readonly methods: Partial<PublicMethods>;
  /** Follows a visit, to keep the answers current. Subscribed for the duration of the visit. */
  readonly follow?: (visit: VisitStreams) => Observable<unknown>;
  /** Drops what is known of the visitor, because there is no consent. */
  readonly forget?: () => void;
  /** Hears each change of consent. */
  readonly onConsent?: (consent: Consent) => void;
}

/** Answers a value by callback, at once, and by promise, as public methods do. */
export const answer = <A>(value: A, tell: (value: A) => void): Promise<A> => {
  tell(value);
  return Promise.resolve(value);
};
