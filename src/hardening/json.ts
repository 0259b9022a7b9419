/** Stands for a text that is not JSON, because null is JSON. */
export const NoJson = Symbol('not JSON');

/** JSON that pages cannot change. Some pages replace `JSON.stringify` or add `toJSON` to prototypes. */
export interface Json {
  /** The text of plain data. */
  readonly stringify: (value: unknown) => string;
  /** Never throws: text that is not JSON gives {@link NoJson}. */
  readonly parse: (text: string) => unknown;
}
