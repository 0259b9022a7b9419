import type { Event, EventDraft } from '../../model/event';

/** An event, and the draft that it was made of. */
export interface Tracked {
  readonly draft: EventDraft;
  readonly event: Event;
}
