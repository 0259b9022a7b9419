/** One call by which a script has told an ad tag something. */
export interface NotedCall {
  /** The object and the method, such as `googletag.setConfig`. */
  readonly method: string;
  /** What the method was given, as JSON. */
  readonly given: string;
  /** Ms since the navigation began. */
  readonly at: number;
  /** The lines of the call stack, the caller first; of this script none. */
  readonly stack: readonly string[];
}

type Method = (this: unknown, ...given: readonly unknown[]) => unknown;
type Holder = Record<string, unknown>;

/** Under this key the window has the list of calls. */
export const notesKey = 'permutive companion: noted calls';

/**
 * Notes in a page, from before its first script on, which script calls the methods of Google's tag and of Prebid that
 * write to places that ad requests read. Whatever other scripts put in place of a method stands behind the note, so
 * that the caller is the script that has called. Runs in the page.
 */
export const noteWrites = (key: string): void => {
  if (window !== window.top) return;
  const maxCalls = 2000;
  const maxStack = 8;
  const calls: NotedCall[] = [];
  Object.defineProperty(window, key, { value: calls });
  let inside: readonly unknown[] | undefined;

  const note = (method: string, given: readonly unknown[]): void => {
    try {
      // The first lines are of the engine, `note` and its caller.
      const stack = (new Error('call').stack ?? '').split('\n').slice(3, 3 + maxStack);
      if (calls.length < maxCalls) calls.push({ method, given: JSON.stringify(given), at: performance.now(), stack });
    } catch {
      // What has no JSON is not noted.
    }
  };
  const noting = (name: string, method: Method): Method =>
    function (this: unknown, ...given) {
      const outer = inside;
      // A wrapper of another script hands on what it was given: the caller is noted already.
      const isHandedOn = outer?.length === given.length && given.every((value, i) => value === outer[i]);
      if (!isHandedOn) note(name, given);
      inside = given;
      try {
        return method.apply(this, [...given]);
      } finally {
        inside = outer;
      }
    };
  const watchMethod = (holder: Holder, name: string, shown: string): void => {
    let method = holder[name];
    if (typeof method !== 'function') return;
    let noted = noting(shown, method as Method);
    Object.defineProperty(holder, name, {
      configurable: true,
      enumerable: true,
      get: () => noted,
      set: (next: unknown) => {
        method = next;
        noted = typeof next === 'function' ? noting(shown, next as Method) : (next as Method);
      },
    });
  };
  const watchMethods = (holder: Holder, shown: string, names: readonly string[]): void => {
    for (const name of names) {
      try {
        watchMethod(holder, name, `${shown}.${name}`);
      } catch {
        // A method that cannot be replaced is called without a note.
      }
    }
  };
  /** Calls back with the object of that global as soon as it runs its queue, before any command of the page. */
  const whenReady = (name: string, queue: string, ready: (tag: Holder) => void): void => {
    const page = window as unknown as Holder;
    const seen = new WeakSet();
    let value: unknown;
    Object.defineProperty(page, name, {
      configurable: true,
      enumerable: true,
      get: () => value,
      set: (next: unknown) => {
        value = next;
        if (typeof next !== 'object' || next === null || seen.has(next)) return;
        seen.add(next);
        const tag = next as Holder;
        const commands = (tag[queue] ??= []) as { readonly unshift?: (command: () => void) => void };
        const begin = (): void => ready(tag);
        // A tag that came before its queue has no list any more.
        if (typeof commands.unshift === 'function') commands.unshift(begin);
        else begin();
      },
    });
  };
  whenReady('googletag', 'cmd', (tag) => {
    watchMethods(tag, 'googletag', ['setConfig']);
    const pubads = typeof tag['pubads'] === 'function' ? (tag['pubads'] as () => unknown)() : undefined;
    if (pubads) watchMethods(pubads as Holder, 'pubads', ['setTargeting', 'clearTargeting']);
  });
  whenReady('pbjs', 'que', (tag) => watchMethods(tag, 'pbjs', ['setConfig', 'mergeConfig', 'setBidderConfig']));
};
