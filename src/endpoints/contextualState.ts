import * as t from 'io-ts';

import type { Endpoint } from './endpoint';

const Category = t.intersection(
  [t.type({ value: t.string, confidence: t.number }), t.partial({ taxonomy: t.string, provider: t.string })],
  'Category',
);
const Keyword = t.type({ value: t.string, confidence: t.number }, 'Keyword');
const Classifications = t.partial(
  { categories: t.readonlyArray(Category), keywords: t.readonlyArray(Keyword) },
  'Classifications',
);
const ContextualData = t.partial({ classifications: Classifications }, 'ContextualData');

/**
 * What a page is, for any visitor. The classifications are for publishers' eyes, so their absence does not spoil the
 * cohorts.
 */
export const ContextualAnswer = t.intersection(
  [
    t.type({ activations: t.record(t.string, t.readonlyArray(t.string)), cohorts: t.readonlyArray(t.string) }),
    t.partial({ contextual_data: ContextualData, requires_segmentation: t.boolean }),
  ],
  'ContextualAnswer',
);
export type ContextualAnswer = Readonly<t.TypeOf<typeof ContextualAnswer>>;

/** GET /ctx/v1/state?url= : what is known of a page already (spec S§7). */
export const contextualState: Endpoint<never, ContextualAnswer> = {
  method: 'GET',
  prefix: '/ctx',
  version: 'v1',
  path: 'state',
  responseType: 'json',
  answer: ContextualAnswer,
};
