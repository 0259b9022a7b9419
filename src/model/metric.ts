import * as t from 'io-ts';

/** One measurement of the SDK. Labels must not hold data of the visitor or the page. */
export const Metric = t.strict({ name: t.string, value: t.number, labels: t.record(t.string, t.string) }, 'Metric');
export type Metric = Readonly<t.TypeOf<typeof Metric>>;

/**
 * What all metrics of one request have in common (spec C§3). `sample_rate` is from 0 to 1; `continent` is null where it
 * is unknown.
 */
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

/** A web vital as the browser has measured it. */
export interface Vital {
  /** `CLS`, `FCP`, `FID`, `INP` or `LCP`. */
  readonly name: string;
  /** In ms; for CLS a score. */
  readonly value: number;
  /** `good`, `needs-improvement` or `poor`. */
  readonly rating: string;
}

/** A task of the page's thread that took 50 ms or longer. */
export interface LongTask {
  /** Ms since the page began. */
  readonly startTime: number;
  /** In ms. */
  readonly duration: number;
}

/** A request that has ended. */
export interface RequestFacts {
  readonly type: 'request';
  readonly method: string;
  readonly url: string;
  /** The status of the answer as text; `none` without an answer, `beacon` for a beacon. */
  readonly status: string;
  /** Ms from sending to the end. */
  readonly ms: number;
}

/** Measurements that do not come from a visit's streams. */
export type Measured = RequestFacts | { readonly type: 'metrics'; readonly metrics: readonly Metric[] };
