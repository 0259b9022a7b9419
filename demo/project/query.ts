import type { Cmp, Definition, Expr, Pred, Window } from '../../src/engine/language/language';

// Short words for the parts of the query language that the tables of this project use.

export interface Query extends Definition {
  readonly name: string;
  readonly tags: readonly string[];
}

export const days = (n: number) => ({ days: n });
/** 108e6 ms: thirty hours, for campaigns that follow a reader into the next day. */
export const nextDay = 108_000_000;

export interface Often {
  readonly is?: Cmp;
  readonly within?: Window;
}

export const atLeast = (n: number) => ({ gte: n });

/** How often an event with these properties happened; once, ever, when nothing else is said. */
export const event = (name: string | readonly string[], where?: Pred, often: Often = {}): Expr => ({
  event: name,
  ...(where && { where }),
  ...(often.is && { is: often.is }),
  ...(often.within !== undefined && { within: often.within }),
});

export const views = (where: Pred, times: number, lastDays: number): Expr =>
  event('Pageview', where, { is: atLeast(times), within: days(lastDays) });

/** Seconds of attention given to pages with these properties. */
export const attention = (where: Pred, seconds: number, lastDays: number): Expr => ({
  event: 'PageviewEngagement',
  where,
  sum: 'engaged_time',
  is: atLeast(seconds),
  within: days(lastDays),
});

export const cohort = (id: number): Expr => ({ cohort: String(id) });
export const cohorts = (...ids: readonly number[]): Expr[] => ids.map(cohort);

/** Words of the author's own list; `min` of them have to be on the page. */
export const keywords = (words: readonly (string | number)[], min?: number): Pred => ({
  p: 'article.keywords',
  in: words,
  ...(min !== undefined && { min }),
  ...(words.some((word) => typeof word === 'number') && { hashed: true }),
});

export const section = (...names: readonly string[]): Pred => ({ p: 'article.section', in: names });
export const taxonomy = (...paths: readonly string[]): Pred => ({ p: 'article.taxonomy', under: paths });
export const path = (...fragments: readonly string[]): Pred => ({ p: 'client.url', urlPath: fragments });
export const either = (...conditions: readonly Pred[]): Pred => ({ or: conditions });
export const both = (...conditions: readonly Pred[]): Pred => ({ and: conditions });

/** A phrase in the headline or in the standfirst. */
export const headline = (...phrases: readonly string[]): Pred =>
  either({ p: 'article.title', words: phrases }, { p: 'article.description', words: phrases });

/** A visit that came from a link in one of the newsletters. */
export const fromNewsletter = (...campaigns: readonly string[]): Pred =>
  both(
    { p: 'client.url', contains: ['utm_medium=email'] },
    { p: 'client.url', contains: campaigns.map((campaign) => `utm_campaign=${campaign}`) },
  );

/** A row of the tables in this folder: the number, what the ad operations team calls it, the rule. */
export const query = (id: number, name: string, tags: string, q: Expr, sub?: readonly Expr[]): Query => ({
  id: String(id),
  name,
  tags: tags.split(' '),
  q,
  ...(sub && { sub }),
});
