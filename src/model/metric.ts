import { AnyNumber, AnyString, object, shape, table, type TypeOf } from '../codecs/codecs';

/** One measurement of the SDK. */
export const Metric = object(
  'Metric',
  shape({
    name: AnyString,
    value: AnyNumber,
    /** Labels must not hold data of the visitor or the page. */
    labels: table('labels', AnyString),
  }),
);
export type Metric = TypeOf<typeof Metric>;

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
