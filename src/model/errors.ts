/**
 * No answer came from a server. The error is counted and not reported, because the visitor's network is not an error of
 * the SDK (spec C§8).
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';

  constructor(
    readonly kind: 'failed' | 'timeout',
    cause?: unknown,
  ) {
    super(kind === 'failed' ? 'Network request failed' : 'Network request timed out', { cause });
  }
}

/**
 * The server's answer has more bytes, or levels, than an answer may have. The error is reported, because
 * the server is at fault.
 */
export class AnswerSizeError extends Error {
  constructor(limit = '1 MB') {
    super(`The answer is larger than ${limit}`);
  }
}

/** The server answered with a text that is not JSON (spec C§8). The message quotes its first 200 characters. */
export class NotJsonError extends Error {
  constructor(text: string) {
    super(`Failed to parse response as JSON. Response was ${text.slice(0, 200)}`);
  }
}

/** The server answered with a status of 400 or above (spec C§8). */
export class StatusError extends Error {
  override readonly name = 'StatusError';

  constructor(
    readonly status: number,
    text: string,
    readonly retryAfterMs?: number,
  ) {
    super(`Failed ajax request. Status code was ${status}. ${text}`.trim());
  }
}

/** The store has no room for a write. */
export class QuotaError extends Error {
  override readonly name = 'QuotaError';
}

/**
 * An error in the engine. The message of the error may be sent to the provider, because none of the page's code runs in
 * the engine.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/** The name of a thrown value. Errors are told apart by name, because their classes differ between realms. */
export const nameOf = (thrown: unknown): string =>
  String((thrown as { readonly name?: unknown } | null | undefined)?.name);

/** The message of a thrown value. Never throws, because pages throw values that cannot be read. */
export const messageOf = (thrown: unknown): string => {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'unreadable';
  }
};
