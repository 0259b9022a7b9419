/** No answer came. It is counted and not reported, because the visitor's network is not an error of the SDK (spec C§8). */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';

  constructor(
    readonly kind: 'failed' | 'timeout',
    cause?: unknown,
  ) {
    super(kind === 'failed' ? 'Network request failed' : 'Network request timed out', { cause });
  }
}

/** The server answered with a text that is not JSON. */
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
