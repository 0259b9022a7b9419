import { codeOf, type ExperimentGroup } from '../model/cohort';
import type { Transition } from '../model/engineCommands';
import type { AnyDraft, Event, EventDraft } from '../model/event';
import type { QueuedEvent } from '../model/queuedEvent';

/** The draft of the event that a membership gained or lost is tracked as (spec S§3). */
export const transitionDraft = ({ id, entry }: Transition): AnyDraft => ({
  name: entry ? 'SegmentEntry' : 'SegmentExit',
  properties: { segment_number: codeOf(id) },
  tellsTransition: true,
});

/** The cohorts of an event as they are uploaded: those that have a number, and all of them. */
export type UploadedCohorts = Pick<QueuedEvent, 'segments' | 'cohorts'>;

/** The visitor's cohorts as they are uploaded with each event of that time. */
export const uploadedCohorts = (members: readonly string[]): UploadedCohorts => ({
  segments: members.map(codeOf).filter((code) => typeof code === 'number'),
  cohorts: [...members],
});

/**
 * The event as it is uploaded, with the visitor's id and cohorts of that moment, and the group where the project has
 * an experiment. The two flags are absent where the draft has none.
 */
export const queuedEvent = (
  { draft, event }: { readonly draft: EventDraft; readonly event: Event },
  userId: string,
  { segments, cohorts }: UploadedCohorts,
  group?: ExperimentGroup,
): QueuedEvent => ({
  ...event,
  properties: draft.unfilled ?? event.properties,
  user_id: userId,
  segments,
  cohorts,
  ...(group && { experiment_group: group }),
  ...(draft.requiresEnrichment !== undefined && { requiresEnrichment: draft.requiresEnrichment }),
  ...(draft.sdkProcessed !== undefined && { sdkProcessed: draft.sdkProcessed }),
});
