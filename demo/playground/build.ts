import { copyFileSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import webpack from 'webpack';

import { playgroundFolder } from './serve';

const root = resolve(import.meta.dirname, '../..');

/** Builds the playground's page, and puts the engine of `dist` beside it as it is. Needs `npm run build` first. */
export const buildPlayground = async (): Promise<void> => {
  await new Promise<void>((done, fail) => {
    webpack(
      {
        mode: 'production',
        context: root,
        devtool: false,
        performance: false,
        entry: { playground: './demo/playground/main.tsx' },
        target: ['web', 'es2022'],
        experiments: { outputModule: true },
        resolve: { extensions: ['.ts', '.tsx', '.js'] },
        module: {
          rules: [
            {
              test: /\.tsx?$/,
              loader: 'ts-loader',
              options: { transpileOnly: true, compilerOptions: { noEmit: false, declaration: false } },
            },
          ],
        },
        output: { path: playgroundFolder, filename: '[name].js', module: true },
      },
      (error, stats) => {
        if (error === null && stats?.hasErrors() !== true) done();
        else fail(error ?? new Error(stats?.toString('errors-only')));
      },
    );
  });
  mkdirSync(playgroundFolder, { recursive: true });
  for (const file of ['index.html', 'playground.css'])
    copyFileSync(resolve(import.meta.dirname, file), resolve(playgroundFolder, file));
  copyFileSync(resolve(root, 'dist/engine.mjs'), resolve(playgroundFolder, 'engine.mjs'));
};
