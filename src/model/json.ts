/** What is not JSON. */
export const NoJson = Symbol('not JSON');

/** JSON as the browser made it: pages replace `JSON.stringify` and add `toJSON` to what they should not. */
export interface Json {
  readonly stringify: (value: unknown) => string;
  /** Never throws: text that is not JSON gives {@link NoJson}. */
  readonly parse: (text: string) => unknown;
}
