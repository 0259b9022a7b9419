import { ownFields } from '../../hardening/ownFields';
import { codeOf } from '../../model/cohort';
import type { Transition } from '../../model/engineCommands';
import type { EventDraft } from '../../model/event';
import type { WebOptions } from './options';

/**
 * What can happen to a page view: it opens; it goes on with other options; the visitor was active for some seconds; a
 * cohort was entered or left; the page is hidden, from which it may come back; the page goes away. `completion` says
 * how much of the page has been seen, from 0 to 1.
 */
export type PageViewInput =
  | { readonly type: 'open' | 'goOn'; readonly options: WebOptions }
  | { readonly type: 'engaged'; readonly seconds: number; readonly completion: number }
  | { readonly type: 'transition'; readonly transition: Transition }
  | { readonly type: 'hide' | 'leave'; readonly completion: number };

/** What one view has added up to, for the totals of its events. */
interface View {
  readonly options: WebOptions;
  /** Seconds. */
  readonly engagedTime: number;
  /** The largest value so far, from 0 to 1. */
  readonly completion: number;
  /** Ids of the cohorts that were entered, and below those that were left, during the view. */
  readonly entered: ReadonlySet<string>;
  readonly exited: ReadonlySet<string>;
  /** A completion of the view has told all of this already, when the page was hidden. */
  readonly isTold: boolean;
}

/** The present page view, and the events that the last input led to. */
export interface PageViewState {
  /** Undefined before the first view, and after the page has gone away. */
  readonly view: View | undefined;
  /** To be tracked in this order. */
  readonly drafts: readonly EventDraft[];
}

/** The state before the page has opened a view. */
export const noPageView: PageViewState = { view: undefined, drafts: [] };

/**
 * One step of a page view. An opened view makes a Pageview, after the PageviewComplete of the view before it. Seconds
 * of engagement make a PageviewEngagement. Leaving makes a PageviewComplete (spec S§3, S§4).
 *
 * A page that is hidden may be killed without another word, so its completion is uploaded then. The view goes on, and
 * what it adds after a return makes another completion. The last one of a view counts
 * (docs/decisions/062-completion-of-hidden-pages.md). Pure.
 */
export const pageViewStep = ({ view }: PageViewState, input: PageViewInput): PageViewState => {
  if (input.type === 'open')
    return { view: freshView(input.options), drafts: [...complete(view), pageview(input.options, view !== undefined)] };
  // Without a view there is nothing that engagement or a transition could belong to.
  if (view === undefined) return noPageView;
  switch (input.type) {
    case 'goOn':
      return { view: { ...view, options: input.options }, drafts: [] };
    case 'engaged':
      return engaged(view, input.seconds, input.completion);
    case 'transition':
      return { view: withTransition(view, input.transition), drafts: [] };
    case 'hide': {
      const now = seen(view, input.completion);
      return { view: { ...now, isTold: true }, drafts: now.isTold ? [] : provisional(now) };
    }
    case 'leave':
      // What follows a return from the back-forward cache is a visit of its own.
      return { view: undefined, drafts: complete(seen(view, input.completion)) };
  }
};

const freshView = (options: WebOptions): View => ({
  options,
  engagedTime: 0,
  completion: 0,
  entered: new Set(),
  exited: new Set(),
  isTold: false,
});

/** The view after so much of the page has been seen. */
const seen = (view: View, completion: number): View =>
  completion > view.completion ? { ...view, completion, isTold: false } : view;

/** The Pageview event. The event opens a view of its own: `isAnother` says that this document has had one before. */
const pageview = (options: WebOptions, isAnother: boolean): EventDraft => {
  const { page, context, watson } = ownFields(options);
  return {
    name: 'Pageview',
    properties: page,
    view: { isAnother, client: context, watson: watson?.enabled },
  };
};

/**
 * Adds engagement to the view. The event carries both what is new and the view's totals; `completion` is the growth
 * since the last event.
 */
const engaged = (view: View, seconds: number, completion: number): PageViewState => {
  const { options } = view;
  const now: View = {
    ...seen(view, completion),
    engagedTime: view.engagedTime + seconds,
    isTold: false,
  };
  if (!options.track_pageview_engagement) return { view: now, drafts: [] };
  const properties = {
    ...options.page,
    engaged_time: seconds,
    total_engaged_time: now.engagedTime,
    completion: now.completion - view.completion,
    total_completion: now.completion,
  };
  return { view: now, drafts: [{ name: 'PageviewEngagement', properties, edgeOnly: options.engagement_edge_only }] };
};

/** Notes a cohort that was entered or left. A cohort may be in both sets. */
const withTransition = (view: View, { id, entry }: Transition): View => ({
  ...view,
  ...(entry ? { entered: new Set(view.entered).add(id) } : { exited: new Set(view.exited).add(id) }),
  isTold: false,
});

/** The PageviewComplete of a view that may go on. The engine counts views, so it counts only the last one. */
const provisional = (view: View): readonly EventDraft[] =>
  complete(view).map((draft) => ({ ...draft, provisional: true }));

/**
 * The PageviewComplete event of a view, in a list; an empty list where there is no view or it is switched off. One that
 * would only repeat what the server was told is for the engine alone.
 * `SegmentEntry` and `SegmentExit` hold only cohorts with a number, the `Cohort…` lists hold all ids as text.
 */
const complete = (view: View | undefined): readonly EventDraft[] => {
  if (view === undefined || !view.options.track_pageview_complete) return [];
  const { options, engagedTime, completion, entered, exited, isTold } = view;
  const aggregations = {
    PageviewEngagement: { engaged_time: engagedTime, completion },
    SegmentEntry: numbersOf(entered),
    SegmentExit: numbersOf(exited),
    CohortEntry: [...entered],
    CohortExit: [...exited],
  };
  const properties = { ...options.page, aggregations, total_engaged_time: engagedTime, total_completion: completion };
  return [{ name: 'PageviewComplete', properties, beacon: true, ...(isTold && { edgeOnly: true }) }];
};

/** The cohorts that have a number. */
const numbersOf = (cohorts: Iterable<string>): readonly number[] =>
  [...cohorts].map(codeOf).filter((code) => typeof code === 'number');
