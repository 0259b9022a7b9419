import type { ErrorReport } from '../endpoints/reportErrors';
import { clientContext, type PageFacts, sdkVersion } from '../model/clientContext';
import { DecodeError } from '../model/decode';
import { EngineError, messageOf, StatusError } from '../model/errors';

/** Version of the query runtime (spec C§1). */
const qlRuntimeVersion = 'v14.1.0';

/** What one part of the SDK has reported: a message of the error catalogue and its cause. */
export interface Reported {
  readonly message: string;
  readonly cause: unknown;
}

/**
 * Makes the report of an error. Addresses lose query and fragment, texts lose what may be personal data or the page's
 * own.
 */
export const errorReport = (
  { message, cause }: Reported,
  page: PageFacts,
  nowMs: number,
  userId: string | undefined,
): ErrorReport => {
  const { domain, url, referrer, user_agent } = clientContext(page, '', {});
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

/** The words of our own errors only: any other error may come from the page and hold values of the page's. */
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

// A server's answer may repeat what it was sent.
const serverWords = /(Status code was \d+|Response was).*/s;
const addressDetails = /(\/\/[^\s?#]{0,500})[?#]\S*/g;
// An email address, in clear text or URL-encoded.
const email = /[^\s@/:;,<>()"'?&=]{1,64}(?:@|%40)[^\s@/:;,<>()"'?&=]{1,190}\.[^\s@/:;,<>()"'?&=]{2,63}/gi;
const withoutPersons = (text: string): string =>
  text
    .slice(0, 2 * maxText)
    .replace(serverWords, '$1')
    .replace(addressDetails, '$1')
    .replace(email, '[email]')
    .slice(0, maxText);

/** An address without credentials, query and fragment, which may name a person. */
const scriptAddress = (url: string): string =>
  withoutPersons(url.replace(/[?#].*/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1'));

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
    // A page may have replaced `stack` by anything.
    const stack: unknown = cause instanceof Error ? cause.stack : '';
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
};
