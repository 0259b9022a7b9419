import * as t from 'io-ts';

import type { Endpoint } from './endpoint';

export const PxidAnswer = t.type({ pxid: t.string }, 'PxidAnswer');
export type PxidAnswer = Readonly<t.TypeOf<typeof PxidAnswer>>;

/** GET {pxidHost}/v2.0/pxid, with credentials: the id lives in a cookie of that host (spec C§6). */
export const pxid: Endpoint<never, PxidAnswer> = {
  method: 'GET',
  host: 'pxid',
  version: 'apiVersion',
  path: 'pxid',
  credentials: true,
  responseType: 'json',
  answer: PxidAnswer,
};
