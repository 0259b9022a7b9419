import { clientContext, type PageFacts } from '../model/clientContext';
import type { ClientContext, Event, EventDraft } from '../model/event';
import type { Tools } from '../platform/platform';
import { boundedProperties } from '../streams/boundedProperties';
import type { SessionAndView } from '../streams/visitor/sessionAndView';

/** What events are made with: the page, the clock, ids, and reports of what JSON cannot hold. */
export interface EventFactory extends Pick<Tools, 'setting' | 'now' | 'newId' | 'report'> {
  readonly page: PageFacts;
}

/** Makes the events of one visit. Each event refreshes the session; a draft with another view opens that view first. */
export const eventFactory = (moments: SessionAndView, { page, setting, now, newId, report }: EventFactory) => {
  // Url, title and referrer that the publisher gave for a view apply to all events of that view.
  let given: Partial<ClientContext> = {};
  let viewedUrl = '';
  const client = clientOfNow(page, () => [setting('sdkType'), given, setting('redactedParameters')]);
  const isoTextOf = isoTexts();
  return {
    /** The client context of this moment. */
    client,
    /**
     * Makes an event of this moment: with id, time, session, view, client context, and properties that JSON can hold
     * (spec C§3). A property that JSON cannot hold, or that has no room, is dropped and reported.
     */
    make: ({ name, properties = {}, view }: EventDraft): Event => {
      if (view !== undefined) {
        given = view.client;
        const { url } = client();
        if (view.isAnother) moments.openView(view.startsOver !== true && url === viewedUrl);
        viewedUrl = url;
      }
      // After the view is opened, so that the event belongs to the new one.
      const { session, view: opened } = moments.touch(name !== 'PageviewComplete');
      return {
        id: newId(),
        name,
        time: isoTextOf(now()),
        properties: boundedProperties(name, properties, client(), report),
        session_id: session.id,
        view_id: opened.id,
      };
    },
  };
};

/**
 * The client context of this moment. The one before is answered again while nothing that it is made of has changed, so
 * a burst of events makes it once.
 */
const clientOfNow = (
  page: PageFacts,
  said: () => readonly [type: string, given: Partial<ClientContext>, redacted: readonly string[]],
): (() => ClientContext) => {
  let [last, madeOf]: [ClientContext | undefined, readonly unknown[]] = [undefined, []];
  return () => {
    // The host goes with the address, and the browser's name for itself does not change.
    const more = said();
    const facts = [page.url(), page.title(), page.referrer(), ...more];
    if (last === undefined || facts.some((fact, i) => fact !== madeOf[i])) {
      madeOf = facts;
      last = clientContext(page, ...more);
    }
    return last;
  };
};

/** Makes a moment into ISO 8601. Many events of a burst share their millisecond, so the last text is kept. */
const isoTexts = (): ((ms: number) => string) => {
  let [lastMs, text] = [NaN, ''];
  return (ms) => {
    if (ms !== lastMs) [lastMs, text] = [ms, new Date(ms).toISOString()];
    return text;
  };
};
