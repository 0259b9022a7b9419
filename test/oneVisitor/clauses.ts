/** The clauses of the law, and what each says. */
export const clauses = {
  'I1 uploaded': 'an event is uploaded as the user who did it, with cohorts of that user’s history alone',
  'I1 told': 'what ad servers and pixels are told of a user is of that user’s history alone',
  'I1 current': 'an ad server is told the user of the page, not an earlier one',
  'I1 stored': 'a page stores nothing that only the history of another user can give',
  'I1 view': 'a view belongs to one visitor, and ends five minutes after its last activity',
  'I2 silent': 'before consent nothing is asked, stored or told',
  'I2 refused': 'after a refusal nothing is asked, stored or told',
  'I2 elsewhere': 'a page that starts after a refusal on another origin asks, stores and tells nothing',
  'I2 open': 'a page that is open while the visitor refuses on another origin asks nothing more, and stops once shown',
  'I2 wavering': 'consent that is withdrawn in the task in which it was given begins no visit in another tab',
  'I2 erased': 'before an answer nothing is erased',
  'I2 answered': 'the page’s calls are answered, whatever the visitor has said',
  'I3 kept': 'the user stays the same unless somebody has refused, reset or identified',
  'I4 delivered': 'every accepted event is delivered',
  'I4 once': 'no event is delivered under two users',
  'I5 prerendered': 'a page that is only prerendered does nothing; shown later, it starts then',
  'I6 above': 'the engine never has more Pageviews of a user than were accepted',
  'I6 below': 'the engine has all Pageviews of the user',
  'I6 completed': 'the engine has the completion of each view that has ended, also where a hidden page was killed',
  'I7 facts': 'all events of a view say the page that its Pageview has said, wherever a router has gone since',
  'I7 views': 'the very same call makes no second Pageview, and each other call a view of its own',
} as const;
export type Clause = keyof typeof clauses;

/** Where a story has broken the law. */
export interface Violation {
  readonly clause: Clause;
  /** Ms since the story began. */
  readonly at: number;
  readonly what: string;
}
