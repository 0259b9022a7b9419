import type { HttpAnswer } from '../../../src/platform/platform';

/** An event as it has arrived at the server. */
export interface Arrived {
  readonly id: string;
  readonly name: string;
  readonly time: string;
  readonly user_id: string;
  readonly view_id: string;
  readonly cohorts: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A server that takes all events, knows visitors by their aliases, and nothing else. */
export interface ModelServer {
  /** Answers a request, which has arrived. */
  readonly answer: (url: string, body: string | undefined) => HttpAnswer;
  /** Each event once for each user under whom it has arrived. */
  readonly arrived: readonly Arrived[];
}

/** Makes a server. The first user who is identified by an alias is that alias's user from then on. */
export const modelServer = (): ModelServer => {
  const arrived: Arrived[] = [];
  const seen = new Set<string>();
  const users = new Map<string, string>();
  const take = (events: readonly Arrived[]): void => {
    for (const event of events) {
      const key = `${event.id} ${event.user_id}`;
      if (!seen.has(key)) arrived.push(event);
      seen.add(key);
    }
  };
  const answer = (url: string, body = ''): HttpAnswer => {
    const { pathname } = new URL(url);
    if (pathname.endsWith('/batch/events')) {
      const events = JSON.parse(body) as readonly Arrived[];
      take(events);
      return { status: 200, body: JSON.stringify(events.map(() => ({ code: 200 }))) };
    }
    if (pathname.endsWith('/identify')) {
      const { user_id, aliases } = JSON.parse(body) as {
        readonly user_id: string;
        readonly aliases: readonly { readonly tag: string; readonly id: string }[];
      };
      const known =
        aliases.map(({ tag, id }) => users.get(`${tag} ${id}`)).find((user) => user !== undefined) ?? user_id;
      for (const { tag, id } of aliases) users.set(`${tag} ${id}`, known);
      return { status: 200, body: JSON.stringify({ user_id: known }) };
    }
    // The server knows no other device of the visitor.
    if (pathname.endsWith('/state')) return { status: 200, body: '{"state":"{}","state_offset":1}' };
    return /geoip|watson|reset/.test(pathname) ? { status: 200, body: '{}' } : { status: 404, body: '' };
  };
  return { answer, arrived };
};
