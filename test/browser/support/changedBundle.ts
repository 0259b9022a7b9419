import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';

import { project } from '../../../demo/project/project';

/** Changes of files, by what their names have after the page script's; the page script's own name is empty. */
type Changes = Readonly<Record<string, (text: string) => string>>;

const name = `${project.workspaceId}-web`;
const textOf = (part: string): string =>
  readFileSync(resolve(__dirname, '../../../dist', [name, part, 'js'].filter(Boolean).join('.')), 'utf8');
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
    new Map(Object.entries(changes).map(([part, change]) => [`/${name}.${part}.js`, change(textOf(part))])),
  );

/**
 * Serves the page a build in which these files are changed: the page script has the hashes of the changed files.
 * Answers a function that serves the real build again.
 */
export const changeBundle = (page: Page, { '': ofScript = (text: string) => text, ...changes }: Changes) => {
  const files = new Map<string, string>();
  let script = textOf('');
  for (const [part, change] of Object.entries(changes)) {
    const text = textOf(part);
    const changed = change(text);
    files.set(`/${name}.${part}.js`, changed);
    script = script.replace(hashOf(text), hashOf(changed));
  }
  files.set(`/${name}.js`, ofScript(script));
  return serveFiles(page, files);
};

/** Changes that run a script before the files' own. */
export const withPrelude = (prelude: string, ...parts: readonly string[]): Changes =>
  Object.fromEntries(parts.map((part) => [part, (text: string) => `${prelude};${text}`]));
