/** An object that says by name which of its members are missing: a test that needs one fails with the reason. */
export const namedLacks = <A extends object>(what: string, object: A): A =>
  new Proxy(object, {
    get: (target, name) => {
      // Whoever awaits the object asks for `then`.
      if (name in target || typeof name === 'symbol' || name === 'then') return Reflect.get(target, name) as unknown;
      throw new Error(`The driver of WebKit has no ${what}.${name}`);
    },
  });
