import * as t from 'io-ts';

import type { Endpoint } from './endpoint';
import { readerOfType } from './ioTs';

/** How well the page fits each standard cohort, by cohort number. */
export const AffinityAnswer = t.type({ affinity_values: t.record(t.string, t.number) }, 'AffinityAnswer');
export type AffinityAnswer = Readonly<t.TypeOf<typeof AffinityAnswer>>;

/** GET /standard-audiences/v1/affinity?url= (spec S§7). */
export const affinity: Endpoint<never, AffinityAnswer> = {
  method: 'GET',
  prefix: '/standard-audiences',
  version: 'v1',
  path: 'affinity',
  responseType: 'json',
  answer: readerOfType(AffinityAnswer),
};
