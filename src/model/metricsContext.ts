import { AnyNumber, AnyString, object, shape, value } from './codecs';

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
