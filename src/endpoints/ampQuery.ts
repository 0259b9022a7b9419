import * as t from 'io-ts';

import type { Endpoint } from './endpoint';
import { readerOfType } from './ioTs';

/** The reader of the answer decodes `query`, because there is a default for one that does not decode (spec C§7). */
export const AmpQueryAnswer = t.type({ query: t.unknown }, 'AmpQueryAnswer');
export type AmpQueryAnswer = Readonly<t.TypeOf<typeof AmpQueryAnswer>>;

/** GET {cdn}/queries/{workspaceId}-amp.json (spec C§7, S§7). A failure counts as the default query. */
export const ampQuery: Endpoint<never, AmpQueryAnswer> = {
  method: 'GET',
  host: 'cdn',
  path: 'queries/:workspaceId-amp.json',
  responseType: 'json',
  answer: readerOfType(AmpQueryAnswer),
};
