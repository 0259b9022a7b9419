import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/** The codes of the visitor's cohorts. */
const Segments = t.strict({ segments: t.readonlyArray(t.string) });
/** Codes that are sent as a form with one value: `segments=101%2C10000001`. */
type SegmentSyncRequest = Readonly<t.TypeOf<typeof Segments>>;

/** On the wire a form with one value: `segments=101%2C10000001`. */
const SegmentSyncRequest = new t.Type<SegmentSyncRequest, string>(
  'SegmentSyncRequest',
  (input): input is SegmentSyncRequest => Segments.is(input),
  (input, context) => {
    const form = t.string.validate(input, context);
    if (isLeft(form)) return form;
    const value = new URLSearchParams(form.right).get('segments');
    return value === null
      ? t.failure(input, context, 'a form with segments')
      : t.success({ segments: value.split(',').filter((code) => code !== '') });
  },
  ({ segments }) => `segments=${encodeURIComponent(segments.join(','))}`,
);

/** POST {segmentSyncApiHost}/sync/{key}, with credentials; the answer is ignored (spec C§7). */
export const segmentSync = endpointOf({
  method: 'POST',
  host: 'sync',
  path: '/sync/:key',
  credentials: true,
  body: SegmentSyncRequest,
  responseType: 'text',
  answer: t.unknown,
});
