import { clientOf } from '../../src/model/clientContext';
import type { Transition } from '../../src/model/engineCommands';
import type { Event, NumberedEvent } from '../../src/model/event';
import type { QueuedEvent } from '../../src/model/queuedEvent';
import { transitionDraft } from '../../src/visit/transitionEvents';

export { noon } from '../../src/fakePlatform/fakePlatform';
export const noonText = '2026-01-01T12:00:00.000Z';
export const visitorId = '5b2f7a3c-1d4e-4f60-9a8b-0c1d2e3f4a5b';
/** The event-source id of the visitor's browser. */
export const sourceId = '3f6c1e2d-7a8b-4c9d-8e0f-1a2b3c4d5e6f';

/** An event as it is evaluated. */
export const eventOf = (id: string, changes: Partial<Event> = {}): Event => ({
  id,
  name: 'Pageview',
  time: noonText,
  properties: {},
  session_id: 'session',
  view_id: 'view',
  ...changes,
});

let numbers = 0;
/** An event as an engine is given it. Each one has a number of its own, the later the higher. */
export const numberedOf = (id: string, changes: Partial<NumberedEvent> = {}): NumberedEvent => ({
  ...eventOf(id),
  page: 'page',
  number: (numbers += 1),
  ...changes,
});

/** The events that a page tracks of transitions, as its engine is given them. */
export const transitionEvents = (transitions: readonly Transition[], page: string): readonly NumberedEvent[] =>
  transitions.map((transition) => {
    const { name, properties = {} } = transitionDraft(transition);
    return numberedOf(`${name} ${transition.id} ${numbers}`, { name, properties, page });
  });

/** Finds the address of an event's page in its client context. `ofPage`: that of a page without an event. */
export const addressesOf =
  (ofPage = 'https://www.site.example') =>
  (event?: Event): string =>
    event === undefined ? ofPage : clientOf(event).url;

/** An event as it waits for its upload. */
export const queuedOf = (id: string, changes: Partial<QueuedEvent> = {}): QueuedEvent => ({
  ...eventOf(id),
  user_id: visitorId,
  segments: [],
  cohorts: [],
  ...changes,
});

/** An event of at least that many bytes on the wire. */
export const largeEvent = (id: string, bytes: number): QueuedEvent =>
  queuedOf(id, { properties: { text: 'x'.repeat(bytes) } });
