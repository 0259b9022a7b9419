import type { Cmp, Definition, Duration, Expr, RecordName, Scalar, Window } from '../../src/engine/language/language';
import type { Platform } from './addonOptions';
import type { EventTypes } from './eventTypes';
import type { EventNames, PathsOf, TestAt, Undeclared, WhereOn } from './paths';

/** Which events, how often, and in which time. */
export interface EventOptions<E, Name extends EventNames<E>> {
  /** What the properties of the event must be, as `where` and its combinations say it. */
  readonly where?: WhereOn<PathsOf<E, Name>>;
  /** Compares the count; default `{ gte: 1 }`. */
  readonly is?: Cmp;
  /** The time in which events count; default: the life time of the visitor's state. */
  readonly within?: Window;
  /** Adds up the numbers at a path, in place of the events. */
  readonly sum?: PathsOf<E, Name>;
  /** Counts the different values at a path, in place of the events. */
  readonly distinct?: PathsOf<E, Name>;
  /** Into how many parts the time is cut, 1 to 1000; default 100. */
  readonly buckets?: number;
  /** The server counts the events. */
  readonly remote?: true;
}
/** One event of a sequence, or the latest or earliest of its kind. */
export interface StepOn<E, Name extends EventNames<E>> {
  readonly event: Name | readonly Name[];
  readonly where?: WhereOn<PathsOf<E, Name>>;
}
interface SequenceOptions {
  /** The longest time from the first step to the last. */
  readonly span?: Duration;
  readonly is?: Cmp;
  readonly within?: Duration;
  readonly buckets?: number;
}

/** Parts of cohorts that read events of types `E`. */
export interface EventHelpers<E> {
  /** How often an event happened: `event('Pageview', { is: { gte: 3 }, within: days(7) })`. */
  readonly event: <Name extends EventNames<E>>(name: Name | readonly Name[], options?: EventOptions<E, Name>) => Expr;
  /** A test of a property: `where('article.section', { eq: 'markets' })`. */
  readonly where: <Path extends PathsOf<E, EventNames<E>>>(path: Path, test: TestAt<E, Path>) => WhereOn<Path>;
  /** An event as a step of `sequence`, `latest` and `earliest`. */
  readonly step: <Name extends EventNames<E>>(
    name: Name | readonly Name[],
    where?: WhereOn<PathsOf<E, Name>>,
  ) => StepOn<E, Name>;
  /** The latest event of a kind satisfies a condition. */
  readonly latest: <Name extends EventNames<E>>(
    step: StepOn<E, Name>,
    is: WhereOn<PathsOf<E, Name>>,
    within?: Duration,
  ) => Expr;
  /** The earliest event of a kind satisfies a condition. */
  readonly earliest: <Name extends EventNames<E>>(
    step: StepOn<E, Name>,
    is: WhereOn<PathsOf<E, Name>>,
    within?: Duration,
  ) => Expr;
}

/** The helpers of a site's own events, and the declaration for `events` of the definition. */
export interface DeclaredEvents<E> extends EventHelpers<E> {
  readonly events: E;
}

const given = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)) as Fields;

const helpers: EventHelpers<Undeclared> = {
  event: (name, options = {}) => ({ event: name, ...options }),
  where: (p, test) => ({ p, ...test }) as never,
  step: (name, where) => given({ event: name, where }) as never,
  latest: (step, is, within) => given({ last: step, is, within }) as unknown as Expr,
  earliest: (step, is, within) => given({ first: step, is, within }) as unknown as Expr,
};

/**
 * Declares the events of a site, with the types of their properties. The answer has `event`, `where` and the others for
 * these events, which know each name and path and refuse all else, and `events` for the definition, so that the check
 * knows them too. Properties of Pageview stand in all events of its view.
 *
 * ```ts
 * const site = declareEvents({
 *   Pageview: { article: { section: 'string', keywords: ['string'] } },
 *   Purchase: { price: 'number' },
 * });
 * const { event, where } = site;
 * export default defineProject({
 *   …,
 *   events: site.events,
 *   queries: [
 *     cohort('20101', event('Pageview', { where: where('article.section', { eq: 'markets' }), is: { gte: 3 } })),
 *   ],
 * });
 * ```
 */
export const declareEvents = <const E extends EventTypes>(events: E): DeclaredEvents<E> => ({
  ...(helpers as unknown as EventHelpers<E>),
  events,
});

/**
 * The helpers for the events of the SDK and its addons, where a site has declared none: names of events are known, and
 * a property may have any path.
 */
export const { event, where, step, latest, earliest } = helpers;

/** Holds where all conditions hold; of a cohort, or of properties in `where`. */
export const and = <const Nodes extends readonly object[]>(
  ...nodes: Nodes
): { readonly and: readonly Nodes[number][] } => ({ and: nodes });
/** Holds where one of the conditions holds. */
export const or = <const Nodes extends readonly object[]>(
  ...nodes: Nodes
): { readonly or: readonly Nodes[number][] } => ({ or: nodes });
/** Holds where the condition does not. */
export const not = <const Node extends object>(node: Node): { readonly not: Node } => ({ not: node });
/** Holds where at least so many of the conditions hold. */
export const atLeast = <const Nodes extends readonly object[]>(
  min: number,
  ...nodes: Nodes
): { readonly match: readonly Nodes[number][]; readonly min: number } => ({ match: nodes, min });

/** Events that happened one after the other, 2 to 8 steps. */
export const sequence = (
  steps: readonly [StepOn<never, never> | object, ...object[]],
  options: SequenceOptions = {},
): Expr => ({ sequence: steps, ...options }) as Expr;
/** The visitor is in another cohort at this moment. */
export const inCohort = (id: string): Expr => ({ cohort: id });
/** How often the visitor has entered another cohort. */
export const entered = (id: string, options: Omit<SequenceOptions, 'span'> = {}): Expr => ({ entered: id, ...options });
/** How often the visitor has left another cohort. */
export const exited = (id: string, options: Omit<SequenceOptions, 'span'> = {}): Expr => ({ exited: id, ...options });
/** A condition on the visitor's place, browser, account, or on what the page is about. */
export const lookup = (name: RecordName, condition: WhereOn<string>): Expr => ({ lookup: name, where: condition });
/** A provider of third-party data has put the visitor into segments. */
export const thirdParty = (
  provider: string,
  segments: readonly Scalar[],
  options: { readonly min?: number; readonly hashed?: boolean } = {},
): Expr => ({ thirdParty: { provider, in: segments, ...options } });
/** A provider of second-party data has put the visitor into segments. */
export const secondParty = (
  provider: string,
  segments: readonly Scalar[],
  options: { readonly min?: number; readonly hashed?: boolean } = {},
): Expr => ({ secondParty: { provider, in: segments, ...options } });
/** The visitor's score in a lookalike model, 0 to 1, reaches a threshold. */
export const lookalike = (model: string, gte: number, data?: '1p' | '3p'): Expr => ({
  lookalike: { model, gte, ...(data && { data }) },
});

export const seconds = (n: number): Duration => ({ seconds: n });
export const minutes = (n: number): Duration => ({ minutes: n });
export const hours = (n: number): Duration => ({ hours: n });
export const days = (n: number): Duration => ({ days: n });
export const weeks = (n: number): Duration => ({ weeks: n });

/** A cohort of the definition: its id, its condition, and what else is known of it. */
export interface CohortDefinition extends Definition {
  readonly activations?: Readonly<Partial<Record<Platform, { readonly trigger: 'EveryTime' | 'OnEntry' | 'OnExit' }>>>;
}
/** `cohort('20101', event('Pageview'), { name: 'Readers', activations: { dfp: { trigger: 'EveryTime' } } })`. */
export const cohort = (id: string, q: Expr, more: Omit<CohortDefinition, 'id' | 'q'> = {}): CohortDefinition => ({
  id,
  q,
  ...more,
});
