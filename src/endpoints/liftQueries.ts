import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/**
 * Definitions of cloud-lifted queries. The engine decodes each on its own, so that a broken one does not spoil the
 * others.
 */
const LiftQueriesAnswer = t.type({ queries: t.readonlyArray(t.unknown) }, 'LiftQueriesAnswer');

/** GET /cloud-lift/v1/queries?qid=&target=javascript&ids= : ids are comma-separated (spec S§7). */
export const liftQueries = endpointOf({ method: 'GET', path: '/cloud-lift/v1/queries', answer: LiftQueriesAnswer });
