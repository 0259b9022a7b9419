/** What a page may have put in the place of a native function. */
export const breakages = ['answers nothing', 'throws', 'answers something else'] as const;
export type Breakage = (typeof breakages)[number];

/**
 * Breaks a native function until the returned function is called. Has nothing outside itself, because pages run its
 * text too, and calls no native once one is broken. `native`: such as `Array.prototype.map`.
 */
export const breakNative = (native: string, how: Breakage): (() => void) => {
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { isArray } = Array;
  const emptyIterator = [][Symbol.iterator].bind([]);
  const [, path = '', name = ''] = /^(.*?)\.?(\[Symbol\.iterator\]|\w+)$/.exec(native) ?? [];
  const key = name.startsWith('[') ? Symbol.iterator : name;
  let owner = globalThis as object;
  for (const part of path === '' ? [] : path.split('.')) owner = (owner as Record<string, object>)[part]!;
  // Methods of all typed arrays are on a prototype that has no name.
  while (getOwnPropertyDescriptor(owner, key) === undefined) owner = getPrototypeOf(owner)!;
  const before = getOwnPropertyDescriptor(owner, key)!;
  const original = before.value as (...given: unknown[]) => unknown;
  const isForItsEffect = ['forEach', 'clear'].includes(name) || native === 'Uint8Array.prototype.set';
  const another = (answer: unknown): unknown => {
    if (typeof answer === 'number') return answer + 1;
    if (typeof answer === 'boolean') return !answer;
    if (typeof answer === 'string') return `${answer}x`;
    if (typeof answer === 'function') return () => undefined;
    if (typeof answer !== 'object' || answer === null) return answer;
    if (isArray(answer)) return [];
    if ('then' in answer) return new Promise(() => undefined);
    return 'next' in answer ? emptyIterator() : {};
  };
  const broken = {
    'answers nothing': () => undefined,
    throws: () => {
      throw new TypeError('replaced by the page');
    },
    'answers something else': function (this: unknown, ...given: unknown[]) {
      return isForItsEffect ? undefined : another(apply(original, this, given));
    },
  };
  defineProperty(owner, key, { ...before, value: broken[how] });
  return () => void defineProperty(owner, key, before);
};
