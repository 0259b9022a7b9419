/** Notes a call of the page's function with that path, such as `ttq.track`, before the function runs. */
type OnCall = (path: string, first: unknown) => void;

/**
 * The same value, with the calls of its functions noted at any depth, also in what the functions return. Other values
 * are given back as they are.
 */
export const recordedPage = (path: string, value: unknown, onCall: OnCall): unknown => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
  return new Proxy(value, {
    get: (target, key) => recordedPage(`${path}.${String(key)}`, Reflect.get(target, key), onCall),
    apply: (target, self, args: readonly unknown[]) => {
      onCall(path, args[0]);
      return recordedPage(`${path}()`, Reflect.apply(target as () => unknown, self, args), onCall);
    },
  });
};
