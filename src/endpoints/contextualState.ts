import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/** A category of the page's content. `taxonomy` and `provider` say whose name for it `value` is. */
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
 * What the server says of a page, the same for every visitor: codes by platform (`activations`), all codes (`cohorts`),
 * and whether it has to see the page's properties for an answer (`requires_segmentation`). The classifications are only
 * shown to publishers, so they may be absent.
 */
export const ContextualAnswer = t.intersection(
  [
    t.type({ activations: t.record(t.string, t.readonlyArray(t.string)), cohorts: t.readonlyArray(t.string) }),
    t.partial({ contextual_data: ContextualData, requires_segmentation: t.boolean }),
  ],
  'ContextualAnswer',
);
export type ContextualAnswer = Readonly<t.TypeOf<typeof ContextualAnswer>>;

/** GET /ctx/v1/state?url= : what the server already knows of a page (spec S§7). */
export const contextualState = endpointOf({ method: 'GET', path: '/ctx/v1/state', answer: ContextualAnswer });
