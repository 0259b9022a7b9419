/** @jest-environment jsdom */
import { probes } from '../../src/natives/probes/probes';
import { lateProbes } from '../../src/natives/probes/promises';
import { hasReplacedNatives } from '../../src/natives/replaced';
import { breakages, breakNative } from '../support/brokenNatives';

/** A window with a native source of random bytes, which jsdom has not. */
const page = { crypto: { getRandomValues: (() => undefined).bind(null) } } as unknown as Window;

/** Whether it is noticed that a property is another until then. */
const noticed = (owner: object, key: PropertyKey, descriptor: PropertyDescriptor): boolean => {
  const before = Reflect.getOwnPropertyDescriptor(owner, key);
  Reflect.defineProperty(owner, key, { ...descriptor, configurable: true });
  try {
    return hasReplacedNatives(page);
  } finally {
    Reflect.deleteProperty(owner, key);
    if (before) Reflect.defineProperty(owner, key, before);
  }
};

describe('Whether a page has replaced natives', () => {
  const natives = [...probes.flat(), ...lateProbes].flatMap(([native]) =>
    // Clocks are replaced by what measures and tests pages.
    ['Date', 'Date.now', 'Promise', 'crypto.getRandomValues'].includes(native) ? [] : native,
  );

  test('it has not, at first', () => {
    expect(hasReplacedNatives(page)).toBe(false);
  });

  test.each(natives.flatMap((native) => breakages.map((how) => [native, how] as const)))(
    'is noticed where %s %s',
    (native, how) => {
      const restore = breakNative(native, how);
      let isNoticed: boolean | undefined;
      try {
        isNoticed = hasReplacedNatives(page);
      } finally {
        restore();
      }
      expect(isNoticed).toBe(true);
    },
  );

  test.each(breakages)('is noticed where what tells it %s', (how) => {
    for (const native of ['Reflect.ownKeys', 'Reflect.getOwnPropertyDescriptor', 'Function.prototype.toString']) {
      const restore = breakNative(native, how);
      const isNoticed = hasReplacedNatives(page);
      restore();
      expect([native, isNoticed]).toEqual([native, true]);
    }
  });

  test.each(['Map', 'Set', 'WeakMap', 'Promise', 'RegExp', 'JSON'])(
    'is noticed where %s is another one as a whole',
    (name) => {
      const another = Object.assign(() => undefined, { prototype: { get: () => undefined }, parse: () => undefined });
      expect(noticed(globalThis, name, { value: another })).toBe(true);
    },
  );

  test('is noticed where the source of random bytes is another one', () => {
    const window = { crypto: { getRandomValues: () => undefined } } as unknown as Window;
    expect(hasReplacedNatives(window)).toBe(true);
  });

  test('is noticed where all functions pass for native ones', () => {
    const value = (): string => 'function () { [native code] }';
    expect(noticed(Function.prototype, 'toString', { value })).toBe(true);
  });

  test('functions that pages add by an assignment are none', () => {
    expect(noticed(Array.prototype, 'each', { value: () => undefined, enumerable: true })).toBe(false);
    expect(noticed(String.prototype, 'format', { value: () => undefined, enumerable: true })).toBe(false);
  });

  test('clocks that are replaced are none, and what zone.js says of objects', () => {
    expect(noticed(Object.prototype, 'valueOf', { value: () => undefined })).toBe(true);
    expect(noticed(Date, 'now', { value: () => undefined })).toBe(true);
    expect(noticed(Date, 'now', { value: () => 5 })).toBe(false);
  });
});
