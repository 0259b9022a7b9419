import * as t from 'io-ts';
import { ErrorReport } from '../model/errorReport';
import type { Endpoint } from './endpoint';

/** POST /sdk-errors/v2/errors : a list of one report, answered with text (spec C§7). */
export const reportErrors: Endpoint<readonly ErrorReport[], string> = {
  method: 'POST',
  prefix: '/sdk-errors',
  version: 'sdkErrorsApiVersion',
  path: 'errors',
  body: t.readonlyArray(ErrorReport, 'ErrorReport[]'),
  responseType: 'text',
  answer: t.string,
};
