import { basename, dirname } from 'node:path';
import webpack from 'webpack';

export interface PageBundle {
  /** Path of the TypeScript file that the page runs. */
  readonly entry: string;
  /** Path of the script that is written. */
  readonly file: string;
  /** Whether the script is a module, which may import others by their addresses. Default: it is not. */
  readonly isModule?: boolean;
  /** By path of a module, the path of the one that stands in for it. */
  readonly alias?: Readonly<Record<string, string>>;
}

/** Bundles an application of ours for a page of a demo or a test. Rejects with what is wrong in its sources. */
export const bundleForPage = ({ entry, file, isModule = false, alias = {} }: PageBundle): Promise<void> =>
  new Promise((done, fail) => {
    webpack(
      {
        mode: 'production',
        devtool: false,
        performance: false,
        entry,
        target: ['web', 'es2022'],
        experiments: { outputModule: isModule },
        resolve: { extensions: ['.ts', '.tsx', '.mjs', '.js'], alias },
        module: {
          rules: [
            {
              test: /\.tsx?$/,
              loader: 'ts-loader',
              options: { transpileOnly: true, compilerOptions: { noEmit: false, declaration: false } },
            },
          ],
        },
        output: { path: dirname(file), filename: basename(file), module: isModule },
      },
      (error, stats) => {
        if (error === null && stats?.hasErrors() !== true) done();
        else fail(error ?? new Error(stats?.toString('errors-only')));
      },
    );
  });
