import type { Page } from 'playwright-core';

import { scriptFile } from './visitor';

/** Counts of what our scripts have done on a page, by name, in their first task and in all. */
export type Watched = Readonly<Record<string, readonly [firstTask: number, all: number]>>;

/**
 * Counts, from the next page on, what our own scripts do in it: a call counts when one of their files is in its stack.
 * The first task ends with the `load` event of the script element.
 */
export const watchStart = async (page: Page): Promise<() => Promise<Watched>> => {
  await page.addInitScript(
    (file) => {
      const counts: Record<string, [number, number]> = {};
      let firstTaskEnd = Infinity;
      const add = (what: string): void => {
        const counted = (counts[what] ??= [0, 0]);
        if (firstTaskEnd === Infinity) counted[0] += 1;
        counted[1] += 1;
      };
      document.addEventListener(
        'load',
        ({ target }) => {
          if (target instanceof HTMLScriptElement && target.src.endsWith(file)) firstTaskEnd = performance.now();
        },
        true,
      );
      Error.stackTraceLimit = 100;
      const NativeError = Error;
      const isOurs = (): boolean => (new NativeError().stack ?? '').includes(file.slice(0, -3));

      /** Counts calls of a method. */
      const watch = (owner: object, name: string, what: string | ((self: unknown) => string)): void => {
        const property = Object.getOwnPropertyDescriptor(owner, name);
        const method: unknown = property?.value;
        if (property === undefined || typeof method !== 'function') return;
        Object.defineProperty(owner, name, {
          ...property,
          value(this: unknown, ...args: unknown[]): unknown {
            if (isOurs()) add(typeof what === 'string' ? what : what(this));
            return Reflect.apply(method, this, args);
          },
        });
      };
      const watchAll = (
        owner: object | undefined,
        names: readonly string[],
        what: Parameters<typeof watch>[2],
      ): void => {
        if (owner !== undefined) for (const name of names) watch(owner, name, what);
      };
      const { scheduler } = window as unknown as { readonly scheduler?: object };
      watchAll(window, ['setTimeout', 'setInterval'], 'timers');
      watchAll(window, ['requestIdleCallback', 'requestAnimationFrame'], 'idle callbacks and frames');
      watchAll(scheduler && (Object.getPrototypeOf(scheduler) as object), ['postTask', 'yield'], 'yields to the page');
      watchAll(MessagePort.prototype, ['postMessage'], 'yields to the page');
      watchAll(EventTarget.prototype, ['addEventListener'], 'event listeners');
      watchAll(IDBDatabase.prototype, ['transaction'], 'IndexedDB transactions');
      watchAll(IDBObjectStore.prototype, ['put', 'add', 'delete', 'clear'], 'IndexedDB writes');
      watchAll(
        IDBObjectStore.prototype,
        ['get', 'getAll', 'getKey', 'getAllKeys', 'count', 'openCursor'],
        'IndexedDB reads',
      );
      const storage = (of: string) => (self: unknown) =>
        self === localStorage ? `local storage ${of}` : 'session storage operations';
      watchAll(Storage.prototype, ['getItem', 'key'], storage('reads'));
      watchAll(Storage.prototype, ['setItem', 'removeItem'], storage('writes'));
      watchAll(Worker.prototype, ['postMessage'], 'messages to the worker');

      window.Error = new Proxy(NativeError, {
        construct: (made, args, newTarget) => {
          if (isOurs()) add('errors made');
          return Reflect.construct(made, args, newTarget) as object;
        },
        apply: (made, self, args) => {
          if (isOurs()) add('errors made');
          return Reflect.apply(made, self, args) as unknown;
        },
      });

      const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')!;
      Object.defineProperty(Document.prototype, 'cookie', {
        ...cookie,
        get(this: Document): unknown {
          if (isOurs()) add('cookie reads');
          return cookie.get?.call(this);
        },
        set(this: Document, text: string) {
          if (isOurs()) add('cookie writes');
          cookie.set?.call(this, text);
        },
      });
      // oxlint-disable-next-line typescript/unbound-method -- called with its receiver below
      const { addEventListener } = EventTarget.prototype;
      window.Worker = class extends Worker {
        constructor(...args: ConstructorParameters<typeof Worker>) {
          super(...args);
          addEventListener.call(this, 'message', () => add('messages from the worker'));
        }
      };
      Object.assign(window, {
        watched: () => {
          // The browser notes requests of the page’s thread with the times of their starts.
          // The site's own are not ours.
          const isOfSdk = ({ name }: PerformanceEntry): boolean =>
            !name.startsWith(location.origin) && !name.endsWith(file);
          const entries = performance.getEntriesByType('resource').filter(isOfSdk);
          const requests = [entries.filter(({ startTime }) => startTime <= firstTaskEnd).length, entries.length];
          return { ...counts, requests };
        },
      });
    },
    scriptFile.replace('**/*', ''),
  );
  return () => page.evaluate(() => (window as unknown as { watched: () => Watched }).watched());
};
