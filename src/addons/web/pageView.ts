import { codeOf } from '../../model/cohort';
import type { Transition } from '../../model/engineCommands';
import type { EventDraft } from '../../model/event';
import type { WebOptions } from './options';

/** What happens to a page view. */
export type PageViewInput =
  | { readonly type: 'open'; readonly options: WebOptions }
  | { readonly type: 'engaged'; readonly seconds: number; readonly completion: number }
  | { readonly type: 'transition'; readonly transition: Transition }
  | { readonly type: 'leave'; readonly completion: number };

interface View {
  readonly options: WebOptions;
  readonly engagedTime: number;
  readonly completion: number;
  readonly entered: ReadonlySet<string>;
  readonly exited: ReadonlySet<string>;
}

/** The page view so far, and the events that the last input led to. */
export interface PageViewState {
  readonly view: View | undefined;
  readonly drafts: readonly EventDraft[];
}

export const noPageView: PageViewState = { view: undefined, drafts: [] };

/** One step of a page view: Pageview, PageviewEngagement, PageviewComplete (spec S§3, S§4). Pure. */
export const pageViewStep = ({ view }: PageViewState, input: PageViewInput): PageViewState => {
  if (input.type === 'open')
    return { view: begun(input.options), drafts: [...complete(view), pageview(input.options, view !== undefined)] };
  if (view === undefined) return noPageView;
  switch (input.type) {
    case 'engaged':
      return engaged(view, input.seconds, input.completion);
    case 'transition':
      return { view: withTransition(view, input.transition), drafts: [] };
    case 'leave':
      // What follows a return from the back-forward cache is a visit of its own.
      return {
        view: undefined,
        drafts: complete({ ...view, completion: Math.max(view.completion, input.completion) }),
      };
  }
};

const begun = (options: WebOptions): View => ({
  options,
  engagedTime: 0,
  completion: 0,
  entered: new Set(),
  exited: new Set(),
});

const pageview = ({ page, context, watson }: WebOptions, isAnother: boolean): EventDraft => ({
  name: 'Pageview',
  properties: page,
  view: { isAnother, client: context, ...(watson && { watson: watson.enabled }) },
});

const engaged = (view: View, seconds: number, completion: number): PageViewState => {
  const { options } = view;
  const now: View = {
    ...view,
    engagedTime: view.engagedTime + seconds,
    completion: Math.max(view.completion, completion),
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

const withTransition = (view: View, { id, entry }: Transition): View =>
  entry ? { ...view, entered: new Set(view.entered).add(id) } : { ...view, exited: new Set(view.exited).add(id) };

const complete = (view: View | undefined): readonly EventDraft[] => {
  if (view === undefined || !view.options.track_pageview_complete) return [];
  const { options, engagedTime, completion, entered, exited } = view;
  const [entries, exits] = [[...entered], [...exited]];
  const aggregations = {
    PageviewEngagement: { engaged_time: engagedTime, completion },
    SegmentEntry: entries.map(codeOf).filter((code) => typeof code === 'number'),
    SegmentExit: exits.map(codeOf).filter((code) => typeof code === 'number'),
    CohortEntry: entries,
    CohortExit: exits,
  };
  const properties = { ...options.page, aggregations, total_engaged_time: engagedTime, total_completion: completion };
  return [{ name: 'PageviewComplete', properties, beacon: true }];
};
