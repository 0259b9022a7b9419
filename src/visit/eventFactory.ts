import { clientContext } from '../model/clientContext';
import type { Settings } from '../model/config';
import type { ClientContext, Event, EventDraft, Properties } from '../model/event';
import { jsonValue } from '../model/jsonValue';
import type { Report } from '../model/report';
import type { Page } from '../platform/platform';
import type { SessionAndView } from '../streams/visitor/sessionAndView';

/** What events are made with. */
export interface EventFactory {
  readonly page: Page;
  readonly setting: Settings;
  readonly now: () => number;
  readonly newId: () => string;
  readonly report: Report;
}

/** Makes events of drafts. */
export interface EventMaker {
  /**
   * Makes an event of now: with id, time, session, view, client context, and properties that JSON can hold (spec C§3).
   */
  readonly make: (draft: EventDraft) => Event;
  /** The client context of this moment. */
  readonly client: () => ClientContext;
}

/** Makes the events of one visit. The session is refreshed, and a view opened, as events need it. */
export const eventFactory = (
  moments: SessionAndView,
  { page, setting, now, newId, report }: EventFactory,
): EventMaker => {
  // Url, title and referrer that the publisher gave for a view apply to all events of that view.
  let given: Partial<ClientContext> = {};
  const client = (): ClientContext => clientContext(page, setting('sdkType'), given);
  return {
    client,
    make: ({ name, properties = {}, view }) => {
      if (view !== undefined) given = view.client;
      if (view?.isAnother === true) moments.openView();
      const { session, view: opened } = moments.touch();
      const onDrop = (path: string, reason: string): void => report(`Event ${name}: dropped ${reason} at ${path}`);
      return {
        id: newId(),
        name,
        time: new Date(now()).toISOString(),
        properties: { ...(jsonValue(properties, onDrop) as Properties), client: client() },
        session_id: session.id,
        view_id: opened.id,
      };
    },
  };
};
