import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/**
 * By model and kind of data, the weight of each feature as a plain number. The engine decodes each model on its own, so
 * that a broken one does not spoil the others.
 */
const JsonModels = t.type({ models: t.UnknownRecord }, 'JsonModels');

/**
 * GET {cdn}/models/{workspaceId}-models.json : lookalike models, asked for where the binary file cannot be had (spec
 * C§7, S§3).
 */
export const jsonModels = endpointOf({
  method: 'GET',
  host: 'cdn',
  path: '/models/:workspaceId-models.json',
  answer: JsonModels,
});
