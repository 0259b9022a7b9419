import { AnyNumber, AnyString, object, shape, type TypeOf, value } from '../codecs/codecs';

/** What all metrics of one request have in common (spec C§3). */
export const MetricsContext = object(
  'MetricsContext',
  shape({
    /** Null where it is unknown. */
    continent: value('(string | null)', (input) => input === null || typeof input === 'string'),
    environment: AnyString,
    events_count: AnyNumber,
    os: AnyString,
    /** From 0 to 1. */
    sample_rate: AnyNumber,
    sdk_version: AnyString,
    segments_count: AnyNumber,
    session_count: AnyNumber,
    session_init_count: AnyNumber,
    session_view_count: AnyNumber,
    user_agent: AnyString,
  }),
);
export type MetricsContext = TypeOf<typeof MetricsContext>;
