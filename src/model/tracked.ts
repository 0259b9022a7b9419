import type { QueuedEvent } from './appState';
import { codeOf } from './cohort';
import type { Event, EventDraft } from './event';
import type { Transition } from './protocol';

/** Events the engine itself caused: it has counted them already. */
export const isTransition = (name: string): boolean => name === 'SegmentEntry' || name === 'SegmentExit';

/** A membership gained or lost, as the event it is tracked as (spec S§3). */
export const transitionDraft = ({ id, entry }: Transition): EventDraft => ({
  name: entry ? 'SegmentEntry' : 'SegmentExit',
  properties: { segment_number: codeOf(id) },
});

/** The event as it is uploaded: whose it is, and the cohorts of that moment. */
export const queuedEvent = ({ draft, event }: { readonly draft: EventDraft; readonly event: Event }, userId: string, members: readonly string[]): QueuedEvent => ({
  ...event,
  user_id: userId,
  segments: members.map(codeOf).filter((code) => typeof code === 'number'),
  cohorts: [...members],
  ...(draft.requiresEnrichment !== undefined && { requiresEnrichment: draft.requiresEnrichment }),
  ...(draft.sdkProcessed !== undefined && { sdkProcessed: draft.sdkProcessed }),
});
