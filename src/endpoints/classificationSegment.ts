import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/** The visitor and the visitor's cohorts, with the page's address and properties. */
export const ClassificationSegmentRequest = t.strict(
  { user_id: t.string, url: t.string, page_properties: t.UnknownRecord, cohorts: t.readonlyArray(t.string) },
  'ClassificationSegmentRequest',
);

/** Cohorts that the classification models add. */
export const ClassificationSegmentAnswer = t.type(
  { cohorts: t.readonlyArray(t.string) },
  'ClassificationSegmentAnswer',
);

/** POST /clm/v1/segment : cohorts of the classification models (spec C§7, S§4). */
export const classificationSegment = endpointOf({
  method: 'POST',
  path: '/clm/{classificationModelsApiVersion}/segment',
  body: ClassificationSegmentRequest,
  answer: ClassificationSegmentAnswer,
});
