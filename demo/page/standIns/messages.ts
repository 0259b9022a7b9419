/** What a stand-in says on the console. The page goes on in either case. */
export interface Messages {
  /** The call has had no effect. */
  readonly error: (text: string, cause?: unknown) => void;
  /** The call may not do what the page wants. */
  readonly warn: (text: string) => void;
}

/** Messages of one stand-in, in its name. */
export const messagesOf = (name: string): Messages => ({
  error: (text, ...cause) => console.error(`${name}: ${text}`, ...cause),
  warn: (text) => console.warn(`${name}: ${text}`),
});

/** Calls a function of the page. What it throws is said on the console, and nothing else is lost by it. */
export const guarded = ({ error }: Messages, call: () => void): void => {
  try {
    call();
  } catch (cause) {
    error('A function of the page has thrown', cause);
  }
};
