/** Why the SDK cannot run in this browser (spec C§5, C§8); undefined where it can. */
export const missingSupport = (window: Readonly<Record<string, unknown>>): string | undefined => {
  if (typeof window['Map'] !== 'function') return 'Maps not supported';
  if (!isIterable(window['Map'])) return 'Iterable Maps not supported';
  if (typeof window['Set'] !== 'function') return 'Sets not supported';
  if (!isIterable(window['Set'])) return 'Iterable Sets not supported';
  if (typeof window['Worker'] !== 'function' || typeof window['Blob'] !== 'function') return 'WebWorkers not supported';
  return undefined;
};

const isIterable = (collection: { readonly prototype?: unknown }): boolean =>
  typeof (collection.prototype as { [Symbol.iterator]?: unknown } | undefined)?.[Symbol.iterator] === 'function';
