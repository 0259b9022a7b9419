import type { Unclobbered } from '../hardening/unclobbered';
import type { BundleFile } from './bundleFiles';
import type { OwnScript } from './ownScript';
import { scriptElement } from './scriptElement';

/** Modules by their ids, as a chunk brings them. */
export type Modules = Readonly<Record<string, unknown>>;

/**
 * Gives a chunk's modules to `receive`. A chunk calls `push` of this global with its ids and modules. An element of the
 * page that has this id stays what it is, and is not asked.
 */
export const receiveChunks = (global: string, receive: (modules: Modules) => void): void =>
  void Object.defineProperty(globalThis, global, {
    value: { push: ([, modules]: readonly [unknown, Modules]) => receive(modules) },
  });

/**
 * Loads each chunk once. One that has failed is asked for again the next time. However often it fails, it rejects with
 * its first error, by which a reader knows that it was reported.
 */
export const loadOnce = (load: (name: string) => Promise<void>): ((name: string) => Promise<void>) => {
  const loading = new Map<string, Promise<void>>();
  const failures = new Map<string, unknown>();
  return (name) => {
    const known = loading.get(name);
    if (known) return known;
    const loaded = load(name).catch((cause: unknown) => {
      loading.delete(name);
      if (!failures.has(name)) failures.set(name, cause);
      throw failures.get(name) as Error;
    });
    loading.set(name, loaded);
    return loaded;
  };
};

/**
 * Answers a function that runs a file of the bundle in the page, by a script element. The browser refuses a pinned file
 * whose content is another than the build's. The promise rejects where the file is refused or does not come.
 * `addressOf`: makes an address one that the page's policy takes. `fieldsOf`: what the element of a file has for the
 * script that it runs.
 */
export const runFile = (
  document: Unclobbered<Document>,
  own: OwnScript,
  fileOf: (name: string) => BundleFile,
  addressOf: (url: string) => string,
  fieldsOf: (name: string) => object,
): ((name: string) => Promise<void>) => {
  // WebKit forgets the listeners of an element that is neither in the page nor held by a script.
  const held: HTMLScriptElement[] = [];
  return (name) =>
    new Promise((resolve, reject) => {
      const script = scriptElement(document, own, fileOf(name), addressOf);
      Object.assign(script, fieldsOf(name));
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(`Loading chunk ${name} failed`));
      document.head.append(script);
      held.push(script);
      script.remove();
    });
};
