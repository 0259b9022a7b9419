import * as t from 'io-ts';

import type { Endpoint } from './endpoint';
import { bodyOfType, readerOfType } from './ioTs';

/** The visitor and the visitor's cohorts, with the page's address and properties. */
export const ClassificationSegmentRequest = t.strict(
  { user_id: t.string, url: t.string, page_properties: t.UnknownRecord, cohorts: t.readonlyArray(t.string) },
  'ClassificationSegmentRequest',
);
export type ClassificationSegmentRequest = Readonly<t.TypeOf<typeof ClassificationSegmentRequest>>;

/** Cohorts that the classification models add. */
export const ClassificationSegmentAnswer = t.type(
  { cohorts: t.readonlyArray(t.string) },
  'ClassificationSegmentAnswer',
);
export type ClassificationSegmentAnswer = Readonly<t.TypeOf<typeof ClassificationSegmentAnswer>>;

/** POST /clm/v1/segment : cohorts of the classification models (spec C§7, S§4). */
export const classificationSegment: Endpoint<ClassificationSegmentRequest, ClassificationSegmentAnswer> = {
  method: 'POST',
  prefix: '/clm',
  version: 'classificationModelsApiVersion',
  path: 'segment',
  body: bodyOfType(ClassificationSegmentRequest),
  responseType: 'json',
  answer: readerOfType(ClassificationSegmentAnswer),
};
