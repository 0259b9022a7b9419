import * as t from 'io-ts';

import type { Endpoint } from './endpoint';

/**
 * Per model and kind of data the weight of each feature, as plain numbers: decoded by the engine model by model, so
 * that a broken one costs itself.
 */
export const JsonModels = t.type({ models: t.UnknownRecord }, 'JsonModels');
export type JsonModels = Readonly<t.TypeOf<typeof JsonModels>>;

/** GET {cdn}/models/{workspaceId}-models.json : asked where the binary file cannot be had (spec C§7, S§3). */
export const jsonModels: Endpoint<never, JsonModels> = {
  method: 'GET',
  host: 'cdn',
  path: 'models/:workspaceId-models.json',
  responseType: 'json',
  answer: JsonModels,
};
