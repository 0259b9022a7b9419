import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import TerserPlugin from 'terser-webpack-plugin';
import webpack, { type Configuration } from 'webpack';

const root = resolve(import.meta.dirname, '..');
const folder = resolve(root, 'build/bench');

const shared: Configuration = {
  mode: 'production',
  context: root,
  devtool: false,
  performance: false,
  resolve: { extensions: ['.ts', '.js'], conditionNames: ['es2015', '...'] },
  module: {
    rules: [
      {
        test: /\.ts$/,
        loader: 'ts-loader',
        options: { transpileOnly: true, compilerOptions: { noEmit: false, declaration: false } },
      },
    ],
  },
};

const build = (configuration: Configuration): Promise<void> =>
  new Promise((done, fail) => {
    webpack(configuration, (error, stats) => {
      if (error === null && stats?.hasErrors() !== true) done();
      else fail(error ?? new Error(stats?.toString('errors-only')));
    });
  });

/**
 * Builds the bench's own process, and answers its file. Compiled as the product is, for a loader that compiles on the
 * fly wraps every function; peers are run as they are published. Names are kept, for profiles.
 */
export const buildChild = async (): Promise<string> => {
  const peers = ['@growthbook/growthbook', 'json-logic-engine', 'json-rules-engine', 'mingo', 'sift'];
  await build({
    ...shared,
    entry: { child: './bench/child.ts' },
    target: 'node20',
    externals: Object.fromEntries(peers.map((peer) => [peer, `commonjs ${peer}`])),
    optimization: { minimize: false },
    output: { path: folder, filename: '[name].cjs' },
  });
  return resolve(folder, 'child.cjs');
};

/** Builds what the store's bench runs in a browser, and answers its text. */
export const buildStoreTasks = async (): Promise<string> => {
  await build({
    ...shared,
    entry: { storeTasks: './bench/storeTasks.ts' },
    target: ['web', 'es2022'],
    output: { path: folder, filename: '[name].js' },
  });
  return readFileSync(resolve(folder, 'storeTasks.js'), 'utf8');
};

const engine = 'src/engine/engine.ts';
const packing = 'src/engine/state/packedChunk.ts';
const models = 'src/engine/models/lookalike.ts';
const sized: Readonly<Record<string, readonly string[]>> = {
  'engine with codecs': [engine],
  'engine, packing and models': [engine, packing, models],
  'engine, packing, models and rules': [engine, packing, models, 'src/engine/rules/expandRules.ts'],
};

/** Bytes of the engine as it would be shipped, minified and compressed, with all that its modules export. */
export const engineSizes = async (): Promise<Readonly<Record<string, number>>> => {
  const sizes: Record<string, number> = {};
  for (const [name, modules] of Object.entries(sized)) {
    const entry = resolve(folder, 'size.js');
    writeFileSync(entry, modules.map((module) => `export * from ${JSON.stringify(resolve(root, module))};`).join('\n'));
    await build({
      ...shared,
      entry: { size: entry },
      target: ['webworker', 'es2022'],
      experiments: { outputModule: true },
      output: { path: folder, filename: '[name].mjs', library: { type: 'module' } },
      optimization: {
        minimizer: [
          new TerserPlugin({
            extractComments: false,
            terserOptions: {
              ecma: 2020,
              module: true,
              compress: { passes: 3, unsafe_arrows: true, unsafe_methods: true, pure_getters: true },
              format: { comments: false },
            },
          }),
        ],
      },
    });
    sizes[name] = gzipSync(readFileSync(resolve(folder, 'size.mjs')), { level: 9 }).length;
  }
  return sizes;
};
