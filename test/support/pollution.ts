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
