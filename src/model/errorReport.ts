import * as t from 'io-ts';
import { clientContext, type PageFacts, sdkVersion } from './clientContext';
import { DecodeError } from './decode';
import { EngineError } from './engineError';
import { messageOf } from './messageOf';
import { StatusError } from './networkError';

/** `timestamp` is ISO 8601, `stack_trace` one entry a line; the user id comes with query-language errors (spec C§3, C§8). */
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

/** Version of the query runtime (spec C§1). */
const qlRuntimeVersion = 'v14.1.0';

/** What one part of the SDK has reported: a message of the error catalogue and its cause. */
export interface Reported {
  readonly message: string;
  readonly cause: unknown;
}

/** The report of an error. Addresses come without query and fragment, texts without what may be the visitor's or the page's own. */
export const errorReport = ({ message, cause }: Reported, page: PageFacts, nowMs: number, userId: string | undefined): ErrorReport => {
  const { domain, url, referrer, user_agent } = clientContext(page, '', {});
  return {
    platform: 'web',
    sdk_version: sdkVersion,
    ql_runtime_version: qlRuntimeVersion,
    timestamp: new Date(nowMs).toISOString(),
    domain,
    url: placeOf(url),
    referrer: placeOf(referrer),
    user_agent,
    error_message: withoutPersons(wordsFor(message, cause)),
    stack_trace: framesOf(cause),
    ...(message.startsWith('Query Language:') && userId !== undefined && { user_id: userId }),
  };
};

/** Only our own errors are quoted: any other may have been thrown by the page, with values of the page's in it. */
const wordsFor = (message: string, cause: unknown): string => {
  if (cause === undefined) return message;
  const words = messageOf(cause);
  const isOurs = cause instanceof DecodeError || cause instanceof EngineError || cause instanceof StatusError;
  if (isOurs) return words === '' || message.includes(words) ? message : `${message}: ${words}`;
  return words !== '' && message.endsWith(words) ? message.slice(0, -words.length) : message;
};

const maxText = 1000;
const maxFrames = 30;
const maxStack = 10_000;

// What servers answer may repeat what they were sent.
const serverWords = /(Status code was \d+|Response was).*/s;
const addressDetails = /(\/\/[^\s?#]{0,500})[?#]\S*/g;
// A character of either side of an address, in the clear or encoded.
const email = /[^\s@/:;,<>()"'?&=]{1,64}(?:@|%40)[^\s@/:;,<>()"'?&=]{1,190}\.[^\s@/:;,<>()"'?&=]{2,63}/gi;
const withoutPersons = (text: string): string => text.slice(0, 2 * maxText).replace(serverWords, '$1').replace(addressDetails, '$1').replace(email, '[email]').slice(0, maxText);

/** An address without what may name a person: credentials, query, fragment. */
const placeOf = (url: string): string => withoutPersons(url.replace(/[?#].*/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1'));

/** The lines of a stack that are places in scripts. The others repeat the error's message. */
const framesOf = (cause: unknown): readonly string[] => {
  const stack = stackOf(cause).replace(messageOf(cause), '').slice(0, maxStack);
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length <= maxText && /^(?:at |[^\s@]*@).*:\d+:\d+\)?$/.test(line))
    .slice(0, maxFrames)
    .map((line) => withoutPersons(line.replace(/[?#].*(:\d+:\d+\)?)$/, '$1')));
};

const stackOf = (cause: unknown): string => {
  try {
    // A page may have made it anything.
    const stack: unknown = cause instanceof Error ? cause.stack : '';
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
};
