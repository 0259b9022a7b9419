import type { ClientContext, Event } from '../../src/model/event';
import type { Arrived } from '../support/world/server';
import type { Clause } from './clauses';
import type { SeenVisit } from './site';

/** Judges which views there are, and what their events say of the page. */
export interface ViewJudge {
  /** An event is accepted. */
  readonly onEvent: (visit: SeenVisit, event: Event) => void;
  /** The server has all that it will get. */
  readonly onEnd: (arrived: readonly Arrived[]) => void;
}

export const viewJudge = (violated: (clause: Clause, what: string) => void): ViewJudge => {
  /** What the latest Pageview of each view has said. */
  const said = new Map<string, string>();
  /** What each event must say. */
  const expected = new Map<string, string>();
  const viewed = new Map<SeenVisit, Set<string>>();
  return {
    onEvent: (visit, { id, name, view_id, properties }) => {
      if (name === 'Pageview') {
        const views = viewed.get(visit) ?? new Set();
        if (views.has(view_id)) violated('I7 views', `${wordsOf(properties)} is viewed in a view that had a Pageview`);
        viewed.set(visit, views.add(view_id));
        said.set(view_id, wordsOf(properties));
      }
      const words = said.get(view_id);
      if (words !== undefined) expected.set(id, words);
    },
    onEnd: (arrived) => {
      for (const { id, name, properties } of arrived) {
        const [words, wanted] = [wordsOf(properties), expected.get(id)];
        if (wanted !== undefined && words !== wanted) violated('I7 facts', `${name} says ${words}, and not ${wanted}`);
      }
    },
  };
};

const wordsOf = ({ client }: Event['properties']): string => {
  const { url, title, referrer } = client as ClientContext;
  return `«${title}» at ${url} from ${referrer}`;
};
