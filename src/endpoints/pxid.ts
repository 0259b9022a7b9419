import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/** The visitor's id at the service. */
const PxidAnswer = t.type({ pxid: t.string }, 'PxidAnswer');

/** GET {pxidHost}/v2.0/pxid, with credentials, because the id is in a cookie of that host (contract: network). */
export const pxid = endpointOf({
  method: 'GET',
  host: 'pxid',
  path: '/{apiVersion}/pxid',
  credentials: true,
  answer: PxidAnswer,
});
