/** What is not JSON. */
export const NoJson = Symbol('not JSON');

/** JSON that pages cannot change: some replace `JSON.stringify` or add `toJSON` to prototypes. */
export interface Json {
  readonly stringify: (value: unknown) => string;
  /** Never throws: text that is not JSON gives {@link NoJson}. */
  readonly parse: (text: string) => unknown;
}
