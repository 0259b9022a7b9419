import * as t from 'io-ts';

import { ContextualAnswer } from './contextualState';
import type { Endpoint } from './endpoint';
import { bodyOfType, readerOfType } from './ioTs';

/** The page's address without trailing slashes, and the properties of its Pageview. */
export const ContextualSegmentRequest = t.strict(
  { url: t.string, page_properties: t.UnknownRecord },
  'ContextualSegmentRequest',
);
export type ContextualSegmentRequest = Readonly<t.TypeOf<typeof ContextualSegmentRequest>>;

/** POST /ctx/v1/segment : asked where the state of the page `requires_segmentation` (spec S§7). */
export const contextualSegment: Endpoint<ContextualSegmentRequest, ContextualAnswer> = {
  method: 'POST',
  prefix: '/ctx',
  version: 'v1',
  path: 'segment',
  body: bodyOfType(ContextualSegmentRequest),
  responseType: 'json',
  answer: readerOfType(ContextualAnswer),
};
