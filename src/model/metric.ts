import { AnyNumber, AnyString, object, shape, table, value } from './codecs';

/** One measurement of the SDK. Labels must not hold data of the visitor or the page. */
export interface Metric {
  readonly name: string;
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}
export const MetricCodec = object<Metric>(
  'Metric',
  shape({ name: AnyString, value: AnyNumber, labels: table('labels', AnyString) }),
);

/**
 * What all metrics of one request have in common (spec C§3). `sample_rate` is from 0 to 1; `continent` is null where it
 * is unknown.
 */
export interface MetricsContext {
  readonly continent: string | null;
  readonly environment: string;
  readonly events_count: number;
  readonly os: string;
  readonly sample_rate: number;
  readonly sdk_version: string;
  readonly segments_count: number;
  readonly session_count: number;
  readonly session_init_count: number;
  readonly session_view_count: number;
  readonly user_agent: string;
}
export const MetricsContextCodec = object<MetricsContext>(
  'MetricsContext',
  shape({
    continent: value('(string | null)', (input) => input === null || typeof input === 'string'),
    environment: AnyString,
    events_count: AnyNumber,
    os: AnyString,
    sample_rate: AnyNumber,
    sdk_version: AnyString,
    segments_count: AnyNumber,
    session_count: AnyNumber,
    session_init_count: AnyNumber,
    session_view_count: AnyNumber,
    user_agent: AnyString,
  }),
);

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
