import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';

import { partName } from '../../../src/platform/bundleFiles';
import { builtFile, scriptName } from './bundleFile';

type Change = (text: string) => string;
/** Changes of files, by the names of the parts; the page script's is empty. */
type Changes = Readonly<Record<string, Change>>;

const same: Change = (text) => text;
const textOf = (part: string): string => readFileSync(builtFile(part), 'utf8');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Serves the page these files, by their paths, in place of the build's. Answers a function that ends that. */
const serveFiles = async (page: Page, files: ReadonlyMap<string, string>) => {
  const isServed = ({ pathname }: URL): boolean => files.has(pathname);
  await page.route(isServed, (route) =>
    route.fulfill({
      body: files.get(new URL(route.request().url()).pathname) ?? '',
      contentType: 'text/javascript',
      headers: { 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
    }),
  );
  return () => page.unroute(isServed);
};

/** Serves the page changed files, of which the page script goes on knowing the hashes of the build's. */
export const forgeFiles = (page: Page, changes: Changes) =>
  serveFiles(
    page,
    new Map(Object.entries(changes).map(([part, change]) => [`/${basename(builtFile(part))}`, change(textOf(part))])),
  );

/**
 * Serves the page a build in which these files are changed: page script and main part have the hashes of the changed.
 * Answers a function that serves the real build again.
 */
export const changeBundle = (page: Page, { '': ofScript = same, main: ofMain = same, ...changes }: Changes) => {
  const files = new Map<string, string>();
  let [script, main] = [textOf(''), textOf('main')];
  const add = (part: string, changed: string): void => {
    files.set(`/${partName(scriptName, part, hashOf(changed))}.js`, changed);
    [script, main] = [script, main].map((text) => text.replace(hashOf(textOf(part)), hashOf(changed))) as [
      string,
      string,
    ];
  };
  for (const [part, change] of Object.entries(changes)) add(part, change(textOf(part)));
  add('main', ofMain(main));
  files.set(`/${scriptName}.js`, ofScript(script));
  return serveFiles(page, files);
};

/** Changes that run a script before the files' own. */
export const withPrelude = (prelude: string, ...parts: readonly string[]): Changes =>
  Object.fromEntries(parts.map((part) => [part, (text: string) => `${prelude};${text}`]));
