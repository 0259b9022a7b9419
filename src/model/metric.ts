import * as t from 'io-ts';

/** One measurement of the SDK. Labels hold no data of the visitor or the page. */
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

/** A web vital as the browser has measured it; times in ms. */
export interface Vital {
  readonly name: string;
  readonly value: number;
  readonly rating: string;
}

/** A task of the page's thread that took 50 ms or longer. */
export interface LongTask {
  /** Ms since the page began. */
  readonly startTime: number;
  readonly duration: number;
}

/**
 * A request that is over: how it was sent, where to, with which answer (a status, `none`, or `beacon`), after how long.
 */
export interface RequestFacts {
  readonly type: 'request';
  readonly method: string;
  readonly url: string;
  readonly status: string;
  readonly ms: number;
}

/** Measurements that do not come from a visit's streams. */
export type Measured = RequestFacts | { readonly type: 'metrics'; readonly metrics: readonly Metric[] };
