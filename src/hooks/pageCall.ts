import type { Permutive, PermutiveMethods } from '../page/permutive';

/** The page's object, loaded or not. Older snippets make no more than a queue and stubs of some of the methods. */
export type PagePermutive = Partial<Permutive>;

/**
 * Calls a method of the page's object. Where the object has none of that name yet, the call is queued as the snippet's
 * stubs would; older snippets lack some of them.
 */
export const pageCall = <Name extends keyof PermutiveMethods>(
  permutive: PagePermutive,
  name: Name,
  ...args: Parameters<PermutiveMethods[Name]>
): void => {
  const method = permutive[name] as ((...args: readonly unknown[]) => unknown) | undefined;
  if (typeof method === 'function') method(...args);
  else if (Array.isArray(permutive.q)) permutive.q.push({ functionName: name, arguments: args });
};
