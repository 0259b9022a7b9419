/** What a visitor has answered: yes to all, no to what the SDK needs, no to all. */
export type Choice = 'all' | 'some' | 'none';

/**
 * Where the visitor is: where consent is asked for, where none is needed, or where everything is allowed until the
 * visitor objects, with the banner open meanwhile.
 */
export type Region = 'asked' | 'free' | 'optOut';

/**
 * A consent platform on a page, as its public documentation describes it; docs/consent-platforms.md names
 * the documents. The functions that make one import nothing, because browser tests run them in their pages.
 */
export interface StandIn {
  /** The platform's script has loaded. `stored`: the answer of an earlier page; null: the banner opens. */
  readonly come: (stored: Choice | null, region: Region) => void;
  /** The visitor answers the banner, or answers anew. */
  readonly choose: (choice: Choice) => void;
}
