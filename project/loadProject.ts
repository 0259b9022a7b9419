import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type ProjectFinding, wrong } from './check/finding';
import { type BuildProject, checkProject } from './checkProject';
import { jsonFaults } from './json/jsonFaults';
import { ProjectError } from './projectError';
import { messageOf, projectOrThrow, readProject, unreadable } from './readProject';

const typeScript = ['.ts', '.mts'];
const modules = [...typeScript, '.js', '.mjs'];

/**
 * Reads and checks a project definition: a file in JSON, or a module of TypeScript or JavaScript whose default export
 * is the definition. Throws `ProjectError` with all its faults. `outside`: names of addons that are built in beside
 * those of the list. A module is loaded anew at each call.
 */
export const loadProject = async (file: string, outside: readonly string[] = []): Promise<BuildProject> => {
  if (extname(file) === '.json') return readProject(file, outside);
  return projectOrThrow(file, checkProject(await loadModule(file), outside));
};

/**
 * The default export of a module of TypeScript or JavaScript as JSON has it, without a check of what it says. Throws
 * `ProjectError` where there is none. A module is loaded anew at each call.
 */
export const loadModule = async (file: string): Promise<unknown> => {
  const extension = extname(file);
  const fail = (finding: ProjectFinding): never => {
    throw new ProjectError(file, [finding]);
  };
  if (!modules.includes(extension))
    return fail(root(`a definition is a file ${['.json', ...modules].join(', ')}`, 'give one of these'));
  try {
    readFileSync(file);
  } catch (error) {
    return fail(unreadable(error));
  }
  const definition = await definitionOf(file, extension, fail);
  const faults = jsonFaults(definition);
  if (faults.length > 0) throw new ProjectError(file, faults);
  // What JSON leaves out, such as a field that is undefined, is left out.
  return JSON.parse(JSON.stringify(definition)) as unknown;
};

const root = (message: string, fix: string): ProjectFinding => ({ path: '', ...wrong(message, fix) });

/** The default export of a module. */
const definitionOf = async (
  file: string,
  extension: string,
  fail: (finding: ProjectFinding) => never,
): Promise<unknown> => {
  const url = pathToFileURL(resolve(file)).href;
  const load = typeScript.includes(extension) ? await typeScriptLoader() : plainLoader;
  const loaded = await load(url).catch((error: unknown) =>
    fail(root(`the module throws: ${firstLine(messageOf(error))}`, 'see that the file runs by itself')),
  );
  const exported = defaultOf(loaded);
  return exported ?? fail(root('the module has no default export', 'write `export default defineProject({…})`'));
};

type Load = (url: string) => Promise<unknown>;

/** The address is another one each time, so that a module that was edited is not taken from the cache. */
const plainLoader: Load = (url) => import(`${url}?at=${Date.now()}`);

/** Rejects as any import does where tsx is not installed. The command then names the package. */
const typeScriptLoader = async (): Promise<Load> => {
  const { tsImport } = await import('tsx/esm/api');
  return (url) => tsImport(url, import.meta.url) as Promise<unknown>;
};

/** A module that was compiled to CommonJS has its exports under `default`. */
const defaultOf = (loaded: unknown): unknown => {
  const exported = (loaded as { readonly default?: unknown }).default;
  return typeof exported === 'object' && exported !== null && '__esModule' in exported
    ? (exported as { readonly default?: unknown }).default
    : exported;
};

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
