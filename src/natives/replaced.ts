/** Whether the text of a function says that the browser has it. Polyfills that pass for natives are taken for them. */
const isNative = (value: unknown): boolean => /\[native code\]\s*\}$/.test(String(value));

/** What has functions that the bundle calls. A page whose promises are those of zone.js has the native ones too. */
const owners = (window: Window): readonly unknown[] => [
  Array,
  Object,
  String,
  Number,
  Function,
  (Reflect.getOwnPropertyDescriptor(window, '__zone_symbol__Promise')?.value as unknown) ?? Promise,
  Map,
  Set,
  WeakMap,
  WeakSet,
  // Clocks are replaced by what measures and tests pages.
  { prototype: Date.prototype },
  RegExp,
  Math,
  ArrayBuffer,
  Reflect,
  Reflect.getPrototypeOf(Uint8Array),
];

/** Functions that the bundle calls, and that pages may replace together with what has them. */
const functions = (window: Window): readonly unknown[] => [
  encodeURIComponent,
  decodeURIComponent,
  isNaN,
  parseInt,
  JSON.parse,
  JSON.stringify,
  // oxlint-disable-next-line typescript/unbound-method -- its text is read, and it is never called
  window.crypto.getRandomValues,
];

/** What may be replaced: zone.js does, so that its promises pass for native ones. */
// oxlint-disable-next-line typescript/unbound-method -- it is compared, and never called
const mayDiffer = Object.prototype.toString;

/** A property of an object. */
interface Property {
  readonly value?: unknown;
  readonly enumerable?: boolean;
}

/** Whether an object has functions in the place of native ones. Pages add functions of their own as enumerable ones. */
const hasOthers = (owner: object): boolean => {
  const keys = Reflect.ownKeys(owner);
  for (let i = 0; i < keys.length; i += 1) {
    const { value, enumerable } = Reflect.getOwnPropertyDescriptor(owner, keys[i] as string) as Property;
    if (typeof value === 'function' && enumerable !== true && value !== mayDiffer && !isNative(value)) return true;
  }
  return false;
};

/**
 * Whether the page has replaced native functions. Runs before anything else of the page script, and relies on no native
 * that it has not looked at: loops have no iterators, and what it calls must be native, as a function of its own must
 * not.
 */
export const hasReplacedNatives = (window: Window): boolean => {
  // The page script says what a browser lacks.
  if (typeof Map !== 'function' || typeof Set !== 'function') return false;
  try {
    if (!(Date.now() > 0)) return true;
    if (isNative(isNative) || !isNative(Reflect.ownKeys) || !isNative(Reflect.getOwnPropertyDescriptor)) return true;
    const called = functions(window);
    for (let i = 0; i < called.length; i += 1) if (!isNative(called[i])) return true;
    const all = owners(window);
    for (let i = 0; i < all.length; i += 1) {
      const owner = all[i] as { readonly prototype?: object };
      if (
        (typeof owner === 'function' && !isNative(owner)) ||
        hasOthers(owner) ||
        (owner.prototype !== undefined && hasOthers(owner.prototype))
      )
        return true;
    }
    return false;
  } catch {
    return true;
  }
};
