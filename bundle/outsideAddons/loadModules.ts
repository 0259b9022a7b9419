import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import webpack from 'webpack';

import type { checkAddon, faultText } from '../../src/addonKit/addonKit';
import { kitFile } from './kit';
import { outsideResolution } from './outsideResolution';

/** What the files export, and the kit that shares its RxJS with them. */
export interface LoadedModules {
  /** By file, its exports by name. */
  readonly exportsOf: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly checkAddon: typeof checkAddon;
  readonly faultText: typeof faultText;
}

/**
 * Runs the files in Node, with all that they import, as the bundle resolves it. The files must not touch the page while
 * they load. Rejects where a file cannot be built or throws.
 */
export const loadModules = async (files: readonly string[], root: string): Promise<LoadedModules> => {
  const folder = mkdtempSync(join(tmpdir(), 'addons-'));
  try {
    const entry = join(folder, 'entry.ts');
    writeFileSync(
      entry,
      [
        ...files.map((file, i) => `export * as module${i} from ${JSON.stringify(file)};`),
        `export { checkAddon, faultText } from ${JSON.stringify(kitFile(root))};`,
      ].join('\n'),
    );
    await build(entry, folder, root);
    const loaded = createRequire(entry)('./addons.cjs') as Omit<LoadedModules, 'exportsOf'> &
      Record<`module${number}`, Readonly<Record<string, unknown>>>;
    return {
      exportsOf: Object.fromEntries(files.map((file, i) => [file, loaded[`module${i}`] ?? {}])),
      checkAddon: loaded.checkAddon,
      faultText: loaded.faultText,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const build = (entry: string, folder: string, root: string): Promise<void> =>
  new Promise((done, fail) => {
    const { plugins, resolve: resolution } = outsideResolution(root);
    webpack(
      {
        mode: 'development',
        devtool: false,
        context: root,
        target: 'node20',
        entry,
        output: { path: folder, filename: 'addons.cjs', library: { type: 'commonjs2' } },
        resolve: { extensions: ['.ts', '.tsx', '.js'], ...resolution },
        plugins,
        module: {
          rules: [
            {
              test: /\.tsx?$/,
              loader: 'ts-loader',
              options: {
                transpileOnly: true,
                allowTsInNodeModules: true,
                configFile: resolve(root, 'tsconfig.json'),
                compilerOptions: { noEmit: false },
              },
            },
          ],
        },
      },
      (error, stats) => {
        const failure = error?.message ?? stats?.toJson({ all: false, errors: true }).errors?.[0]?.message;
        if (failure === undefined) done();
        else fail(new Error(failure));
      },
    );
  });
