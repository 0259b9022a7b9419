import { buildSync } from 'esbuild';

import type { ElementReference, Session } from './session';

const source = `
  import { Ivya } from 'ivya';
  const ivya = Ivya.create({ browser: 'webkit' });
  window.__query = (selector) => ivya.queryLocatorSelectorAll(selector, document);`;

let library: string | undefined;
/** The library that knows Playwright's selectors, as a script for a page. */
const inPage = (): string => {
  if (library === undefined) {
    const stdin = { contents: source, resolveDir: process.cwd() };
    const { outputFiles } = buildSync({ stdin, bundle: true, format: 'iife', write: false });
    // It runs among the page's own scripts, where the overlay shows React another document than the page's.
    library = outputFiles[0]?.text.replaceAll(/\w+\.ownerDocument\.defaultView\b/g, 'window') ?? '';
  }
  return library;
};

/** The elements of a document that one of Playwright's selectors names. `place`: the window, or a frame in it. */
export const queryAll = async (
  { command }: Session,
  place: string,
  selector: string,
): Promise<readonly ElementReference[]> => {
  const ask = (script: string) =>
    command<readonly ElementReference[] | null>('POST', '/execute/sync', { script, args: [selector] }, place);
  const query = 'return window.__query ? window.__query(arguments[0]) : null';
  return (await ask(query)) ?? (await ask(`${inPage()}\n${query}`)) ?? [];
};
