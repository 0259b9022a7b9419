import { DecodeError } from '../codecs/codecs';
import type { ErrorReport } from '../endpoints/reportErrors';
import { clientContext, type PageFacts, sdkVersion, withoutTrailingSlashes } from '../model/clientContext';
import { AnswerSizeError, EngineError, messageOf, NotJsonError, StatusError } from '../model/errors';
import { isoText } from '../primitives/isoDate';
import { emailAddress, secretNames } from '../privacy/personal';
import { redactedUrl } from '../privacy/redactedUrl';

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
 * addresses are redacted as those of events are and lose query and fragment, email addresses are replaced, only the
 * SDK's own errors are quoted, and of the stack only the places in scripts are kept. The user id is added for errors of
 * the query language only (spec C§8). `nowMs` is in ms since 1970.
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
    timestamp: isoText(nowMs),
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
  if (ourErrors.some((ours) => cause instanceof ours))
    return words === '' || message.includes(words) ? message : `${message}: ${words}`;
  return words !== '' && message.endsWith(words) ? message.slice(0, -words.length) : message;
};

/** Errors whose words are the SDK's own, but for what a server has answered, which is cut off below. */
const ourErrors = [DecodeError, EngineError, StatusError, NotJsonError, AnswerSizeError];

/** Bounds of a report: characters of a text, lines of a stack, and characters of a stack that are read at all. */
const maxText = 1000;
const maxFrames = 30;
const maxStack = 10_000;

// What follows these words is the server's answer, which may repeat what it was sent.
const serverWords = /(Status code was \d+|Response was).*/s;
// An address inside a text, from its slashes on.
const addresses = /\/\/\S+/g;
// The place in a script at the end of its address, as stacks have it.
const place = /(?::\d+){0,2}\)?$/;
// A word that may be an email address, in clear text or URL-encoded.
const words = /[^\s/:;,<>()"'?&=]+/g;
// An id of a visitor, as in the keys of stored records. Messages with ids would also differ between visitors.
const id = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
/**
 * A text without server answers, secrets in addresses, ids and email addresses, of at most 1000 characters. The text is
 * first cut to twice that length.
 */
const withoutPersons = (text: string): string =>
  text
    .slice(0, 2 * maxText)
    .replace(serverWords, '$1')
    .replace(addresses, withoutSecrets)
    .replace(id, '[id]')
    .replace(words, (word) => (emailAddress.test(word) ? '[email]' : word))
    .slice(0, maxText);

/** An address, which begins with its slashes, as events have it, but without its query and fragment. */
const withoutSecrets = (address: string): string => {
  const url = address.replace(place, '');
  const end = address.slice(url.length);
  return redactedUrl(`s:${url.replace(/[?#].*/s, '')}`, secretNames).slice(2) + end;
};

/**
 * An address without query and fragment, because these may name a person, and without slashes at its end (spec C§2).
 */
const scriptAddress = (url: string): string => withoutTrailingSlashes(withoutPersons(url.replace(/[?#].*/s, '')));

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
    .map((line) => withoutPersons(line.replace(/^([^?#]*)[?#].*(:\d+:\d+\)?)$/, '$1$2')));
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
