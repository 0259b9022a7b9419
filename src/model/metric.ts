import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode } from './decode';

/** One number that the SDK tells of itself; no label holds a value of the visitor's or the page's. */
export const Metric = t.strict({ name: t.string, value: t.number, labels: t.record(t.string, t.string) }, 'Metric');
export type Metric = Readonly<t.TypeOf<typeof Metric>>;

/** What all items of one request have in common (spec C§3). */
export const MetricsContext = t.strict(
  {
    continent: t.union([t.string, t.null]),
    environment: t.string,
    events_count: t.number,
    os: t.string,
    sample_rate: t.number,
    sdk_version: t.string,
    segments_count: t.number,
    session_count: t.number,
    session_init_count: t.number,
    session_view_count: t.number,
    user_agent: t.string,
  },
  'MetricsContext',
);
export type MetricsContext = Readonly<t.TypeOf<typeof MetricsContext>>;

/** What the browser says of how the page feels; times in ms. */
export interface Vital {
  readonly name: string;
  readonly value: number;
  readonly rating: string;
}

/** A task that kept the page from answering its visitor. */
export interface LongTask {
  /** Ms since the page began. */
  readonly startTime: number;
  readonly duration: number;
}

const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** The operating system that a user agent names. */
export const osOf = (userAgent: string): string => systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'other';

/** A request that is over: how it was sent, where to, with which answer (a status, `none`, or `beacon`), after how long. */
export interface RequestFacts {
  readonly type: 'request';
  readonly method: string;
  readonly url: string;
  readonly status: string;
  readonly ms: number;
}

/** What is measured besides the visit's own signals. */
export type Measured = RequestFacts | { readonly type: 'metrics'; readonly metrics: readonly Metric[] };

/** What a request counts for; nothing where it carries metrics itself (spec C§7). */
export const requestMetrics = ({ method, url, status, ms }: RequestFacts): readonly Metric[] => {
  const path = pathOf(url);
  if (path.includes('metrics')) return [];
  return [
    { name: 'sdk_http_request_count_total', value: 1, labels: { method, path, status } },
    // A clock set back makes no request negative.
    ...(path.endsWith('/watson') ? [{ name: 'sdk_http_watson_seconds', value: Math.max(0, ms) / 1000, labels: { status } }] : []),
  ];
};

const anyUuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Path of a call to the provider, without ids. Other servers are the page's own, and so are their addresses. */
const pathOf = (url: string): string => {
  const [address = '', query = ''] = url.split('?');
  return /(?:^|&)k=/.test(query) ? address.replace(/^\w+:\/\/[^/]*/, '').replace(anyUuid, ':id') : 'other';
};

/** How often the visitor came: sessions in this browser, starts of the SDK and page views in the present session. */
const SessionCounts = t.strict({ id: t.string, sessions: t.number, inits: t.number, views: t.number }, 'SessionCounts');
export type SessionCounts = Readonly<t.TypeOf<typeof SessionCounts>>;

/** The stored counts with something added; a session with another id begins at zero. */
export const countedSession = (stored: unknown, id: string, added: { readonly inits?: number; readonly views?: number } = {}): SessionCounts => {
  const decoded = decode(SessionCounts)(stored);
  const last = isRight(decoded) ? decoded.right : { id: '', sessions: 0, inits: 0, views: 0 };
  const { sessions, inits, views } = last.id === id ? last : { sessions: last.sessions + 1, inits: 0, views: 0 };
  return { id, sessions, inits: inits + (added.inits ?? 0), views: views + (added.views ?? 0) };
};
