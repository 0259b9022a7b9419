import * as t from 'io-ts';

import { endpointOf } from './ioTs';

// Tested by its tag and not by `instanceof`, because a buffer may come from another realm.
const isBuffer = (input: unknown): input is ArrayBuffer =>
  Object.prototype.toString.call(input) === '[object ArrayBuffer]';

/** Passes a buffer on unchanged; the engine decodes its records. */
const BinaryModels = new t.Type<ArrayBuffer>(
  'ArrayBuffer',
  isBuffer,
  (input, context) => (isBuffer(input) ? t.success(input) : t.failure(input, context)),
  t.identity,
);

/** GET {cdn}/models/v2/{workspaceId}-models.bin : lookalike models, one record after the other (spec C§7). */
export const binaryModels = endpointOf({
  method: 'GET',
  host: 'cdn',
  path: '/models/v2/:workspaceId-models.bin',
  responseType: 'binary',
  answer: BinaryModels,
});
