import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/** How well the page fits each standard cohort, by cohort number. */
export const AffinityAnswer = t.type({ affinity_values: t.record(t.string, t.number) }, 'AffinityAnswer');

/** GET /standard-audiences/v1/affinity?url= (spec S§7). */
export const affinity = endpointOf({ method: 'GET', path: '/standard-audiences/v1/affinity', answer: AffinityAnswer });
