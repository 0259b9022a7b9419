import { ownFields } from '../hardening/ownFields';
import { clientContext, clientOf, type PageFacts } from '../model/clientContext';
import type { Event, EventDraft } from '../model/event';
import type { Page, Tools } from '../platform/platform';
import { isoText } from '../primitives/isoDate';
import { boundedProperties } from '../streams/boundedProperties';
import type { LastView, SessionAndView, ViewFacts } from '../streams/visitor/sessionAndView';

/** What events are made with: the page, the clock, ids, and reports of what JSON cannot hold. */
export interface EventFactory extends Pick<Tools, 'setting' | 'now' | 'newId' | 'report'> {
  readonly page: PageFacts & Pick<Page, 'path'>;
}

/** Makes the events of one visit. Each event refreshes the session; a draft with a view opens that view first. */
export const eventFactory = (
  moments: SessionAndView,
  last: LastView,
  { page, setting, now, newId, report }: EventFactory,
) => {
  const factsOfNow = (given: Parameters<typeof clientContext>[2]): ViewFacts => {
    const { url = page.url() } = ownFields(given);
    const client = clientContext(page, setting('sdkType'), { ...given, url }, setting('redactedParameters'));
    last.addresses.set(client, url);
    return { viewId: moments.current().view.id, client, path: page.path() };
  };
  const facts = (): ViewFacts => (last.facts?.viewId === moments.current().view.id ? last.facts : factsOfNow({}));
  const isoTextOf = isoTexts();
  return {
    /** The page as it was at the Pageview of the present view; before that, as it is at this moment. */
    facts,
    addressOf: (event?: Event): string => {
      const client = event === undefined ? facts().client : clientOf(event);
      return last.addresses.get(client) ?? client.url;
    },
    /**
     * Makes an event of this moment: with id, time, session, view, client context, and properties that JSON can hold
     * (spec C§3). A property that JSON cannot hold, or that has no room, is dropped and reported.
     */
    make: ({ name, properties = {}, view }: EventDraft): Event => {
      if (view !== undefined) {
        const before = last.facts?.client;
        if (view.isAnother) moments.openView();
        // The visitor has come from the view before. A page that returns is still where its visitor first came to.
        const referrer = view.isAnother ? before?.url.replace(queries, '') : before?.referrer;
        last.facts = factsOfNow({ referrer, ...view.client });
      }
      // After the view is opened, so that the event belongs to the new one.
      const { session, view: opened } = moments.touch(name !== 'PageviewComplete');
      return {
        id: newId(),
        name,
        time: isoTextOf(now()),
        properties: boundedProperties(name, properties, facts().client, report),
        session_id: session.id,
        view_id: opened.id,
      };
    },
  };
};

/** The query of an address, and the one of its route. */
const queries = /\?[^#]*/g;

/** Makes a moment into ISO 8601. Many events of a burst share their millisecond, so the last text is kept. */
const isoTexts = (): ((ms: number) => string) => {
  let [lastMs, text] = [NaN, ''];
  return (ms) => {
    if (ms !== lastMs) [lastMs, text] = [ms, isoText(ms)];
    return text;
  };
};
