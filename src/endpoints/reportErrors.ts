import { AnyString, list, object, readerOf, shape, type TypeOf, value } from '../codecs/codecs';
import { bodyOf, type Endpoint } from './endpoint';

/** The report of one error (spec C§3, C§8). */
export const ErrorReport = object(
  'ErrorReport',
  shape(
    {
      platform: value('"web"', (input) => input === 'web'),
      sdk_version: AnyString,
      ql_runtime_version: AnyString,
      /** ISO 8601. */
      timestamp: AnyString,
      domain: AnyString,
      url: AnyString,
      referrer: AnyString,
      user_agent: AnyString,
      error_message: AnyString,
      /** One entry a line. */
      stack_trace: list(AnyString),
    },
    {
      /** Present for errors of the query language only. */
      user_id: AnyString,
    },
  ),
);
export type ErrorReport = TypeOf<typeof ErrorReport>;

/** POST /sdk-errors/v2/errors : a list of one report, answered with text (spec C§7). */
export const reportErrors: Endpoint<readonly ErrorReport[], string> = {
  method: 'POST',
  path: '/sdk-errors/{sdkErrorsApiVersion}/errors',
  body: bodyOf(list(ErrorReport, 0, Infinity, 'ErrorReport[]')),
  responseType: 'text',
  answer: readerOf(AnyString),
};
