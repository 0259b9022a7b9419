import { AnyBoolean, AnyRecord, AnyString, isRecord, list, object, shape, value } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import { jsonValue } from '../../hardening/jsonValue';
import { ownEntry } from '../../hardening/ownFields';
import type { EventDraft, Properties } from '../../model/event';

/** Types of events that a page may count as activity. Each takes a listener of its own. */
const maxActivities = 50;

/** What a page may give `permutive.addon('web', …)`, with the defaults of spec S§9. */
const readOptions = optionsOf({
  /** Custom properties of the Pageview and of all other events of its view. */
  page: [AnyRecord, {}],
  /** Replaces the page's own url, title and referrer in the client context of the view. */
  context: [object('a context', shape({}, { url: AnyString, title: AnyString, referrer: AnyString })), {}],
  track_pageview_engagement: [AnyBoolean, true],
  track_pageview_complete: [AnyBoolean, true],
  track_form_submission: [AnyBoolean, false],
  track_link_click: [AnyBoolean, false],
  /** Evaluate PageviewEngagement in the browser only and do not upload it. */
  engagement_edge_only: [AnyBoolean, true],
  /** Types of DOM events that count as activity, instead of mousemove, click and scroll. */
  dirty_events: [list(AnyString, 0, maxActivities), undefined],
  /** Returns how much of the page has been seen, from 0 to 1. The function replaces the scroll depth. */
  completion: [value<() => unknown>('Function', (input) => typeof input === 'function'), undefined],
  /** By event name, a function that says whether to track that event. The function gets `{name, properties}`. */
  filterPermutiveEvent: [AnyRecord, {}],
  /** Whether this view's content is classified, instead of what the config says. */
  watson: [object('a switch', shape({ enabled: AnyBoolean })), undefined],
});

/** The options of a call. */
export type WebOptions = ReturnType<typeof readOptions>;

/**
 * The fields of a context, and nothing else of the page's object. A field whose getter throws is reported and left out.
 */
const contextFields = (given: unknown, onFault: (cause: unknown) => void): unknown => {
  if (!isRecord(given)) return given;
  const fields: Record<string, unknown> = {};
  for (const name of ['url', 'title', 'referrer'])
    try {
      const value = ownEntry(given, name);
      if (value !== undefined) fields[name] = value;
    } catch (cause) {
      onFault(cause);
    }
  return fields;
};

/**
 * Reads the options one by one: a wrong one is reported and replaced by its default, the others count (spec S§5). The
 * properties of the page are copied as far as an event has room, because all events of the view copy them again.
 */
export const webOptions = (input: unknown, onFault: (cause: unknown) => void): WebOptions => {
  const given = isRecord(input) ? { ...input, context: contextFields(input['context'], onFault) } : input;
  const options = readOptions(given, onFault);
  const onDrop = (path: string): void => onFault(new Error(`page${path}`));
  return { ...options, page: (jsonValue(options.page, onDrop) ?? {}) as Properties };
};

/**
 * How much of the page has been seen, from 0 to 1: by the page's own function where it gave one, else the scroll depth.
 * A function that throws or returns no number counts as 0 (spec S§5).
 */
export const completionOf = ({ completion }: WebOptions, scrollDepth: () => number): number => {
  if (completion === undefined) return scrollDepth();
  try {
    return Math.min(1, Math.max(0, Number(completion()) || 0));
  } catch {
    return 0;
  }
};

/**
 * Whether the page's filter lets an event through. Without a filter it passes. A filter that throws or returns no
 * boolean is reported, and the event passes (spec S§5).
 */
export const isWanted = (
  { filterPermutiveEvent }: WebOptions,
  { name, properties }: EventDraft,
  onFault: (cause: unknown) => void,
): boolean => {
  const predicate = ownEntry(filterPermutiveEvent, name);
  if (predicate === undefined) return true;
  try {
    const answer: unknown = (predicate as (event: object) => unknown)({ name, properties });
    if (typeof answer === 'boolean') return answer;
    onFault(new Error(`filterPermutiveEvent/${name}: expected a function that returns a boolean`));
  } catch (cause) {
    onFault(cause);
  }
  return true;
};
