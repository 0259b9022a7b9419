import { AnyString, list, object, readerOf, shape, value } from '../model/codecs';
import { bodyOf, type Endpoint } from './endpoint';

/**
 * The report of one error (spec C§3, C§8). `timestamp` is ISO 8601, `stack_trace` has one entry a line. The user id is
 * present for errors of the query language only.
 */
export interface ErrorReport {
  readonly platform: 'web';
  readonly sdk_version: string;
  readonly ql_runtime_version: string;
  readonly timestamp: string;
  readonly domain: string;
  readonly url: string;
  readonly referrer: string;
  readonly user_agent: string;
  readonly error_message: string;
  readonly stack_trace: readonly string[];
  readonly user_id?: string;
}
export const ErrorReportCodec = object<ErrorReport>(
  'ErrorReport',
  shape(
    {
      platform: value('"web"', (input) => input === 'web'),
      sdk_version: AnyString,
      ql_runtime_version: AnyString,
      timestamp: AnyString,
      domain: AnyString,
      url: AnyString,
      referrer: AnyString,
      user_agent: AnyString,
      error_message: AnyString,
      stack_trace: list(AnyString),
    },
    { user_id: AnyString },
  ),
);

/** POST /sdk-errors/v2/errors : a list of one report, answered with text (spec C§7). */
export const reportErrors: Endpoint<readonly ErrorReport[], string> = {
  method: 'POST',
  prefix: '/sdk-errors',
  version: 'sdkErrorsApiVersion',
  path: 'errors',
  body: bodyOf(list(ErrorReportCodec, 0, Infinity, 'ErrorReport[]')),
  responseType: 'text',
  answer: readerOf(AnyString),
};
