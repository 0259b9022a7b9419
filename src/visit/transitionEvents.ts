import { codeOf } from '../model/cohort';
import type { Transition } from '../model/engineCommands';
import type { Event, EventDraft } from '../model/event';
import type { QueuedEvent } from '../sinks/delivery/appState';

/** The draft of the event that a membership gained or lost is tracked as (spec S§3). */
export const transitionDraft = ({ id, entry }: Transition): EventDraft => ({
  name: entry ? 'SegmentEntry' : 'SegmentExit',
  properties: { segment_number: codeOf(id) },
});

/**
 * The event as it is uploaded, with the visitor's id and cohorts of that moment. `segments` holds the cohorts that have
 * a number, `cohorts` all of them. The two flags are absent where the draft has none.
 */
export const queuedEvent = (
  { draft, event }: { readonly draft: EventDraft; readonly event: Event },
  userId: string,
  members: readonly string[],
): QueuedEvent => ({
  ...event,
  user_id: userId,
  segments: members.map(codeOf).filter((code) => typeof code === 'number'),
  cohorts: [...members],
  ...(draft.requiresEnrichment !== undefined && { requiresEnrichment: draft.requiresEnrichment }),
  ...(draft.sdkProcessed !== undefined && { sdkProcessed: draft.sdkProcessed }),
});
