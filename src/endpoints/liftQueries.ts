import * as t from 'io-ts';

import type { Endpoint } from './endpoint';
import { readerOfType } from './ioTs';

/**
 * Definitions of cloud-lifted queries. The engine decodes each on its own, so that a broken one does not spoil the
 * others.
 */
export const LiftQueriesAnswer = t.type({ queries: t.readonlyArray(t.unknown) }, 'LiftQueriesAnswer');
export type LiftQueriesAnswer = Readonly<t.TypeOf<typeof LiftQueriesAnswer>>;

/** GET /cloud-lift/v1/queries?qid=&target=javascript&ids= : ids are comma-separated (spec S§7). */
export const liftQueries: Endpoint<never, LiftQueriesAnswer> = {
  method: 'GET',
  prefix: '/cloud-lift',
  version: 'v1',
  path: 'queries',
  responseType: 'json',
  answer: readerOfType(LiftQueriesAnswer),
};
