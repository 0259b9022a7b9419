/** Values that a merge of foreign JSON can leave on `Object.prototype`. */
export const hostileValues: readonly unknown[] = [
  '.evil.test',
  'https://evil.test/',
  true,
  1,
  Object.assign(Object.create(null), { url: 'https://evil.test/', method: 'POST' }),
  ['evil.test'],
];

/** Makes all objects seem to have these fields, until what it gives is called. */
export const pollute = (fields: Readonly<Record<string, unknown>>): (() => void) => {
  const names = Object.keys(fields);
  for (const name of names)
    Object.defineProperty(Object.prototype, name, {
      __proto__: null,
      value: fields[name],
      configurable: true,
      enumerable: true,
      writable: true,
    } as PropertyDescriptor);
  return () => {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name);
  };
};

/** Runs an action while all objects seem to have these fields. */
export const polluted = <A>(fields: Readonly<Record<string, unknown>>, action: () => A): A => {
  const restore = pollute(fields);
  try {
    return action();
  } finally {
    restore();
  }
};

/**
 * Runs an action while all objects have these fields without a value, and says which of them the action has read from
 * an object that lacks them. The others can change nothing by their values.
 */
export const inheritedReads = <A>(
  names: readonly string[],
  action: () => A,
): { readonly result: A; readonly read: readonly string[] } => {
  const read = new Set<string>();
  const restore = pollute(Object.fromEntries(names.map((name) => [name, undefined])));
  const { defineProperty } = Object;
  try {
    for (const name of names)
      defineProperty(Object.prototype, name, {
        __proto__: null,
        get: () => void read.add(name),
        // A field that is written is the object's own from then on, as it is where a value is inherited.
        set(this: object, value: unknown) {
          defineProperty(this, name, {
            __proto__: null,
            ...{ value, configurable: true, enumerable: true, writable: true },
          } as PropertyDescriptor);
        },
        configurable: true,
        enumerable: true,
      } as PropertyDescriptor);
    return { result: action(), read: [...read] };
  } finally {
    restore();
  }
};
