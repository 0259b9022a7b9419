import * as t from 'io-ts';

import type { Endpoint } from './endpoint';
import { bodyOfType, readerOfType } from './ioTs';

/**
 * The report of one error (spec C§3, C§8). `timestamp` is ISO 8601, `stack_trace` has one entry a line. The user id is
 * present for errors of the query language only.
 */
export const ErrorReport = t.exact(
  t.intersection([
    t.type({
      platform: t.literal('web'),
      sdk_version: t.string,
      ql_runtime_version: t.string,
      timestamp: t.string,
      domain: t.string,
      url: t.string,
      referrer: t.string,
      user_agent: t.string,
      error_message: t.string,
      stack_trace: t.readonlyArray(t.string),
    }),
    t.partial({ user_id: t.string }),
  ]),
  'ErrorReport',
);
export type ErrorReport = Readonly<t.TypeOf<typeof ErrorReport>>;

/** POST /sdk-errors/v2/errors : a list of one report, answered with text (spec C§7). */
export const reportErrors: Endpoint<readonly ErrorReport[], string> = {
  method: 'POST',
  prefix: '/sdk-errors',
  version: 'sdkErrorsApiVersion',
  path: 'errors',
  body: bodyOfType(t.readonlyArray(ErrorReport, 'ErrorReport[]')),
  responseType: 'text',
  answer: readerOfType(t.string),
};
