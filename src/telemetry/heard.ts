import type { Cohorts } from '../model/cohorts';
import type { Event } from '../model/event';
import type { Measured } from '../model/metric';
import type { Stage } from '../model/pageContext';

/** Inputs of a visit's metrics in one stream, so that they can be replayed in order to a chunk that loads later. */
export type Heard =
  | Measured
  | { readonly type: 'stage'; readonly stage: Stage }
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'cohorts'; readonly cohorts: Cohorts };
