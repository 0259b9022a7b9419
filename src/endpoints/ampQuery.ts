import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/** The reader of the answer decodes `query`, because there is a default for one that does not decode (spec C§7). */
const AmpQueryAnswer = t.type({ query: t.unknown }, 'AmpQueryAnswer');

/** GET {cdn}/queries/{workspaceId}-amp.json (spec C§7, S§7). A failure counts as the default query. */
export const ampQuery = endpointOf({
  method: 'GET',
  host: 'cdn',
  path: '/queries/:workspaceId-amp.json',
  answer: AmpQueryAnswer,
});
