import * as t from 'io-ts';

import type { Endpoint } from './endpoint';

/** Its reader decides what a query is: there is a default for one that makes no sense. */
export const AmpQueryAnswer = t.type({ query: t.unknown }, 'AmpQueryAnswer');
export type AmpQueryAnswer = Readonly<t.TypeOf<typeof AmpQueryAnswer>>;

/** GET {cdn}/queries/{workspaceId}-amp.json (spec C§7, S§7). */
export const ampQuery: Endpoint<never, AmpQueryAnswer> = {
  method: 'GET',
  host: 'cdn',
  path: 'queries/:workspaceId-amp.json',
  responseType: 'json',
  answer: AmpQueryAnswer,
};
