import * as t from 'io-ts';

import type { Endpoint } from './endpoint';
import { readerOfType } from './ioTs';

/** The visitor's id at the service. */
export const PxidAnswer = t.type({ pxid: t.string }, 'PxidAnswer');
export type PxidAnswer = Readonly<t.TypeOf<typeof PxidAnswer>>;

/** GET {pxidHost}/v2.0/pxid, with credentials, because the id is in a cookie of that host (contract: network). */
export const pxid: Endpoint<never, PxidAnswer> = {
  method: 'GET',
  host: 'pxid',
  version: 'apiVersion',
  path: 'pxid',
  credentials: true,
  responseType: 'json',
  answer: readerOfType(PxidAnswer),
};
