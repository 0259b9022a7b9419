import { Anything, readerOf } from '../codecs/codecs';
import type { Endpoint } from './endpoint';

/** POST /v2.0/reset : tells the server that the visitor has been reset. No body, the answer is ignored (spec C§7). */
export const reset: Endpoint<never, unknown> = {
  method: 'POST',
  path: '/{apiVersion}/reset',
  responseType: 'text',
  answer: readerOf(Anything),
};
