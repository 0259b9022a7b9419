import { DecodeError } from '../codecs/codecs';
import type { ErrorReport } from '../endpoints/reportErrors';
import { clientContext, type PageFacts, sdkVersion, withoutTrailingSlashes } from '../model/clientContext';
import { EngineError, messageOf, StatusError } from '../model/errors';
import { secretNames } from '../privacy/personal';

/** Version of the query runtime (spec C§1). */
const qlRuntimeVersion = 'v14.1.0';

/** What one part of the SDK has reported: a message of the error catalogue and its cause. */
export interface Reported {
  /** Constant text, such as `Failed to identify`. */
  readonly message: string;
  /** Anything that was thrown, by the SDK or by the page; undefined where nothing was. */
  readonly cause: unknown;
}

/**
 * Makes the report of an error (spec C§3). A report must not hold personal data or values of the page. Therefore
 * addresses lose query and fragment, email addresses are replaced, only the SDK's own errors are quoted, and of the
 * stack only the places in scripts are kept. The user id is added for errors of the query language only (spec C§8).
 * `nowMs` is in ms since 1970.
 */
export const errorReport = (
  { message, cause }: Reported,
  page: PageFacts,
  nowMs: number,
  userId: string | undefined,
): ErrorReport => {
  const { domain, url, referrer, user_agent } = clientContext(page, '', {}, secretNames);
  return {
    platform: 'web',
    sdk_version: sdkVersion,
    ql_runtime_version: qlRuntimeVersion,
    timestamp: new Date(nowMs).toISOString(),
    domain,
    url: scriptAddress(url),
    referrer: scriptAddress(referrer),
    user_agent,
    error_message: withoutPersons(wordsFor(message, cause)),
    stack_trace: framesOf(cause),
    ...(message.startsWith('Query Language:') && userId !== undefined && { user_id: userId }),
  };
};

/**
 * The message with the words of the cause, where the cause is one of the SDK's own errors. The words of any other error
 * are left out, and cut off where the message ends with them, because they may come from the page.
 */
const wordsFor = (message: string, cause: unknown): string => {
  if (cause === undefined) return message;
  const words = messageOf(cause);
  const isOurs = cause instanceof DecodeError || cause instanceof EngineError || cause instanceof StatusError;
  if (isOurs) return words === '' || message.includes(words) ? message : `${message}: ${words}`;
  return words !== '' && message.endsWith(words) ? message.slice(0, -words.length) : message;
};

/** Bounds of a report: characters of a text, lines of a stack, and characters of a stack that are read at all. */
const maxText = 1000;
const maxFrames = 30;
const maxStack = 10_000;

// What follows these words is the server's answer, which may repeat what it was sent.
const serverWords = /(Status code was \d+|Response was).*/s;
// Query and fragment of an address inside a text.
const addressDetails = /(\/\/[^\s?#]{0,500})[?#]\S*/g;
// An email address, in clear text or URL-encoded.
const email = /[^\s@/:;,<>()"'?&=]{1,64}(?:@|%40)[^\s@/:;,<>()"'?&=]{1,190}\.[^\s@/:;,<>()"'?&=]{2,63}/gi;
/**
 * A text without server answers, address details and email addresses, of at most 1000 characters. The text is first cut
 * to twice that length, which bounds the time that the expressions take.
 */
const withoutPersons = (text: string): string =>
  text
    .slice(0, 2 * maxText)
    .replace(serverWords, '$1')
    .replace(addressDetails, '$1')
    .replace(email, '[email]')
    .slice(0, maxText);

/**
 * An address without credentials, query and fragment, because these may name a person, and without slashes at its end
 * (spec C§2).
 */
const scriptAddress = (url: string): string =>
  withoutTrailingSlashes(withoutPersons(url.replace(/[?#].*/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1')));

/**
 * The lines of a stack that are places in scripts, in the formats of Chromium, Firefox and Safari. All other lines
 * repeat the error's message.
 */
const framesOf = (cause: unknown): readonly string[] => {
  const stack = stackOf(cause).replace(messageOf(cause), '').slice(0, maxStack);
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length <= maxText && /^(?:at |[^\s@]*@).*:\d+:\d+\)?$/.test(line))
    .slice(0, maxFrames)
    .map((line) => withoutPersons(line.replace(/[?#].*(:\d+:\d+\)?)$/, '$1')));
};

/** The stack of a thrown value; empty where there is none. Never throws. */
const stackOf = (cause: unknown): string => {
  try {
    // A page may have replaced `stack` by anything.
    const stack: unknown = cause instanceof Error ? cause.stack : '';
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
};
