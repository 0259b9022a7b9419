import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import TerserPlugin from 'terser-webpack-plugin';
import { tsImport } from 'tsx/esm/api';
import webpack from 'webpack';

import { bundleHashes } from './scripts/bundleHashes.js';
import { eagerModules } from './scripts/eagerModules.js';
import { oneScope } from './scripts/oneScope/oneScope.js';

const root = import.meta.dirname;

/** Lists each file that was written with its size and hash, for subresource integrity. */
const integrity = (dist) => ({
  apply: (compiler) =>
    compiler.hooks.done.tap('integrity', () => {
      const files = readdirSync(dist).filter((file) => /\.m?js$/.test(file));
      const entries = files.map((file) => {
        const content = readFileSync(resolve(dist, file));
        return {
          file,
          bytes: content.length,
          sha384: `sha384-${createHash('sha384').update(content).digest('base64')}`,
        };
      });
      writeFileSync(resolve(dist, 'integrity.json'), `${JSON.stringify(entries, null, 2)}\n`);
    }),
});

/** Removes an earlier build first, because its chunks would be taken for chunks of this one. */
const emptied = (dist) => ({
  apply: (compiler) => compiler.hooks.beforeRun.tap('emptied', () => rmSync(dist, { recursive: true, force: true })),
});

/** Marks a module as one whose components need a browser, for frameworks that also render components of servers. */
const clientOnly = (file) =>
  new webpack.BannerPlugin({
    banner: "'use client';",
    raw: true,
    include: file,
    // After the minifier, which would drop the directive.
    stage: webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT,
  });

/** The sources load chunks themselves (`src/platform/chunks.ts`), and set the function that webpack calls for that. */
const ownLoader = { chunkFormat: 'array-push', chunkLoading: 'own', enabledChunkLoadingTypes: [], publicPath: '' };
const noLoader = {
  apply: (compiler) => {
    webpack.javascript.EnableChunkLoadingPlugin.setEnabled(compiler, ownLoader.chunkLoading);
    compiler.hooks.compilation.tap('noLoader', ({ hooks }) =>
      hooks.runtimeRequirementInTree
        .for(webpack.RuntimeGlobals.ensureChunk)
        .tap({ name: 'noLoader', stage: -1 }, () => true),
    );
  },
};

/** Replaces modules of RxJS by one that has only what is used of them. */
const rxjsUnused = new webpack.NormalModuleReplacementPlugin(
  /[\\/]rxjs[\\/].*[\\/](scheduled|isAsyncIterable|isReadableStreamLike|errorContext)\.js$/,
  resolve(root, 'scripts/rxjsUnused.js'),
);

/** Modules that replace React: with `--env react=preact` the same components take an eighth of its bytes. */
const renderers = {
  react: {},
  preact: {
    react$: 'preact/compat',
    'react-dom$': 'preact/compat',
    'react-dom/client$': 'preact/compat/client',
    'react/jsx-runtime$': 'preact/jsx-runtime',
  },
};

/**
 * One build per project: `npm run build -- --env project=PATH`. Without a path it is the sample project, which is
 * written from its sources first. Writes the page script with its lazy chunks, the worker, the project's queries, and
 * the engine and the addon kit as modules. `--env out=FOLDER` writes them elsewhere.
 */
export default async ({ project, out = 'dist', react = 'react', maps = false }) => {
  const dist = resolve(root, out);
  const { readProject, writeProjectModules } = await tsImport('./scripts/readProject.ts', import.meta.url);
  const { writeSampleProject } = await tsImport('./demo/project/write.ts', import.meta.url);
  const definition = readProject(project === undefined ? writeSampleProject() : resolve(root, project));
  if (definition.leftOut.length > 0) console.warn(`Addons that are not built yet: ${definition.leftOut.join(', ')}`);
  const modules = writeProjectModules(definition, root);
  const name = `${definition.page.workspaceId}-web`;

  const shared = {
    mode: 'production',
    context: root,
    // Source maps for profiles; no script refers to them.
    devtool: maps ? 'hidden-source-map' : false,
    performance: false,
    resolve: {
      extensions: ['.ts', '.tsx', '.js'],
      // The modern build of RxJS is a tenth smaller than the one that webpack takes by default.
      conditionNames: ['es2015', '...'],
      alias: {
        ...renderers[react],
        tslib$: resolve(root, 'scripts/tslibUnused.js'),
        '@project/page$': resolve(modules, 'page.js'),
        '@project/deferred$': resolve(modules, 'deferred.js'),
        '@project/queries$': resolve(modules, 'queries.js'),
      },
    },
    optimization: {
      chunkIds: 'named',
      // Short names in the module table save two kilobytes in all.
      moduleIds: 'size',
      mangleExports: 'size',
      // A lazy chunk is one request.
      splitChunks: false,
      minimizer: [
        new TerserPlugin({
          // SWC's minifier makes the scripts 2.5 % smaller than Terser's, because it inlines more functions.
          minify: TerserPlugin.swcMinify,
          extractComments: false,
          terserOptions: {
            ecma: 2020,
            module: true,
            // None of the unsafe options: its arrows lose `this`.
            compress: { passes: 10, keep_fargs: false, hoist_props: true },
            format: { comments: false },
          },
        }),
      ],
    },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          loader: 'ts-loader',
          options: { transpileOnly: true, compilerOptions: { noEmit: false, declaration: false } },
        },
      ],
    },
  };
  return [
    await oneScope({
      ...shared,
      name: 'page',
      // After the files whose hashes it holds.
      dependencies: ['worker', 'queries'],
      plugins: [noLoader, rxjsUnused, eagerModules([name, 'deferred', 'overlay', 'html']), bundleHashes(dist, name)],
      entry: { [name]: './src/main.ts' },
      target: ['web', 'es2022'],
      output: {
        path: dist,
        filename: '[name].js',
        chunkFilename: `${name}.[name].js`,
        ...ownLoader,
        chunkLoadingGlobal: `webpackChunk${name}`,
      },
    }),
    await oneScope({
      ...shared,
      name: 'worker',
      dependencies: ['queries'],
      plugins: [noLoader, rxjsUnused, eagerModules()],
      entry: { [`${name}.worker`]: './src/worker.ts' },
      target: ['webworker', 'es2022'],
      externals: { '@project/queries': 'self permutiveQueries' },
      output: {
        path: dist,
        filename: '[name].js',
        chunkFilename: `${name}.worker.[name].js`,
        ...ownLoader,
        chunkLoadingGlobal: 'permutiveChunks',
      },
    }),
    {
      // A file of its own, because definitions change by the hour and the worker's code only with a release.
      ...shared,
      name: 'queries',
      // They are built first, so they alone empty the folder.
      plugins: [emptied(dist)],
      entry: { [`${name}.worker.queries`]: resolve(modules, 'queries.js') },
      target: ['webworker', 'es2022'],
      output: { path: dist, filename: '[name].js', library: { name: 'permutiveQueries', type: 'self' } },
    },
    {
      ...shared,
      name: 'engine',
      dependencies: ['page', 'worker', 'queries'],
      plugins: [integrity(dist), clientOnly('react.mjs')],
      entry: {
        engine: './src/engine/engine.ts',
        'addon-kit': './src/addonKit/addonKit.ts',
        react: './src/hooks/react.ts',
        testing: './src/testing/testing.ts',
      },
      // Users of the modules install these packages themselves.
      externals: /^(rxjs|io-ts|fp-ts|react)(\/|$)/,
      target: ['node', 'es2022'],
      experiments: { outputModule: true },
      output: { path: dist, filename: '[name].mjs', library: { type: 'module' } },
    },
  ];
};
