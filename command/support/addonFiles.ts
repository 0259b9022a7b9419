import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { outsideAddons } from '../../bundle/outsideAddons/outsideAddons';
import { type Io, WrongCall } from '../command';
import { sdkFolder } from './sdk';

/** The option by which a call names addons from outside, each by its file or by the package that exports it. */
export const addonOption = { type: 'string', multiple: true, default: [] as string[] } as const;

/**
 * The files of addons: a path as it stands from the working folder, else the module that a package's name leads to from
 * there, found as webpack finds imports. Rejects with `WrongCall` where there is neither.
 */
export const addonFiles = (given: readonly string[], { cwd }: Pick<Io, 'cwd'>): Promise<readonly string[]> =>
  Promise.all(
    given.map(async (name) => {
      const path = resolve(cwd, name);
      if (existsSync(path)) return path;
      const found = await packageFile(name, cwd);
      if (found === undefined)
        throw new WrongCall(`--addon ${name}: there is no such file, and no package of that name is installed`);
      return found;
    }),
  );

const packageFile = async (name: string, folder: string): Promise<string | undefined> => {
  const { default: webpack } = await import('webpack');
  const { resolverFactory } = webpack({ context: folder });
  const resolver = resolverFactory.get('normal', { dependencyType: 'esm' });
  return new Promise((found) => {
    resolver.resolve({}, folder, name, {}, (error, file) => found(error || !file ? undefined : file));
  });
};

/** Reads the addons of the files, as a build does. */
export const readAddons = async (files: readonly string[]): ReturnType<typeof outsideAddons> => {
  const { tsImport } = await import('tsx/esm/api');
  const address = pathToFileURL(resolve(sdkFolder, 'bundle/outsideAddons/outsideAddons.ts')).href;
  const read = ((await tsImport(address, import.meta.url)) as { readonly outsideAddons: typeof outsideAddons })
    .outsideAddons;
  return read(files, sdkFolder);
};
