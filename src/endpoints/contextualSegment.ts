import * as t from 'io-ts';

import { ContextualAnswer } from './contextualState';
import { endpointOf } from './ioTs';

/** The page's address without trailing slashes, and the properties of its Pageview. */
export const ContextualSegmentRequest = t.strict(
  { url: t.string, page_properties: t.UnknownRecord },
  'ContextualSegmentRequest',
);

/** POST /ctx/v1/segment : asked where the state of the page `requires_segmentation` (spec S§7). */
export const contextualSegment = endpointOf({
  method: 'POST',
  path: '/ctx/v1/segment',
  body: ContextualSegmentRequest,
  answer: ContextualAnswer,
});
