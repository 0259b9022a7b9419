import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import TerserPlugin from 'terser-webpack-plugin';
import { tsImport } from 'tsx/esm/api';
import webpack from 'webpack';

import { hashesInMainPart, hashesInPageScript, hashesInWorker } from './bundle/bundleHashes.js';
import { dataFile } from './bundle/dataFile.js';
import { eagerModules } from './bundle/eagerModules.js';
import { headFile } from './bundle/headFile.js';
import { noticesFile, thirdPartyNotices } from './bundle/notices.js';
import { oneScope } from './bundle/oneScope/oneScope.js';
import { stableOrder } from './bundle/stableOrder.js';

const root = import.meta.dirname;
const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));

/** Removes files of an earlier build of the project, because they would be taken for chunks of this one. */
const withoutEarlier = (dist, name) => ({
  apply: (compiler) =>
    compiler.hooks.beforeRun.tap('withoutEarlier', () => {
      const files = existsSync(dist) ? readdirSync(dist) : [];
      for (const file of files) if (file.startsWith(name)) rmSync(resolve(dist, file));
    }),
});

/** What the output of the TypeScript loader depends on beside a source: versions and options. */
const circumstances = createHash('sha256')
  .update(
    ['package-lock.json', 'package.json', 'tsconfig.json', 'webpack.config.js']
      .map((file) => resolve(root, file))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n'),
  )
  .digest('hex');

/** Strips the types; `npm run typecheck` checks them. `cache`: the folder in which outputs are kept. */
export const typeScript = (cache) => ({
  test: /\.tsx?$/,
  use: [
    {
      loader: resolve(root, 'bundle/transpiledOnce.js'),
      options: { folder: resolve(cache, 'transpiled'), circumstances },
    },
    {
      loader: 'ts-loader',
      options: {
        transpileOnly: true,
        // The sources lie there where the package is installed.
        allowTsInNodeModules: true,
        // Also for addons that are outside of the repository.
        configFile: resolve(root, 'tsconfig.json'),
        compilerOptions: { noEmit: false, declaration: false },
      },
    },
  ],
});

/**
 * SWC's minifier makes the scripts 2.5 % smaller than Terser's, because it inlines more functions. None of the unsafe
 * options: its arrows lose `this`.
 */
export const minimizer = [
  new TerserPlugin({
    minify: TerserPlugin.swcMinify,
    // SWC has threads of its own.
    parallel: false,
    extractComments: false,
    terserOptions: {
      ecma: 2020,
      module: true,
      compress: { passes: 10, keep_fargs: false, hoist_props: true },
      // Browsers keep the whole source in two bytes for each character where a single one is not Latin.
      format: { comments: false, ascii_only: true },
    },
  }),
];

/** Keeps the calls of natives that the minifier would answer itself: the file asks what they do on a page. */
const probing = [
  new TerserPlugin({
    minify: TerserPlugin.swcMinify,
    parallel: false,
    extractComments: false,
    terserOptions: { ecma: 2020, compress: false, mangle: true, format: { comments: false, ascii_only: true } },
  }),
];

/** A plugin, and a promise that resolves when `count` compilers with that plugin have ended, well or not. */
const endOf = (count) => {
  let running = count;
  let end = () => undefined;
  const ended = new Promise((resolve) => {
    end = () => {
      running -= 1;
      if (running === 0) resolve();
    };
  });
  const plugin = {
    apply: ({ hooks }) => {
      hooks.done.tap('endOf', end);
      hooks.failed.tap('endOf', end);
    },
  };
  return { plugin, ended };
};

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

/** webpack would otherwise read the name from the package file of the sources. */
const named = { uniqueName: 'permutive-web-sdk' };

/** Replaces modules of RxJS by one that has only what is used of them. */
const rxjsUnused = new webpack.NormalModuleReplacementPlugin(
  /[\\/]rxjs[\\/].*[\\/](scheduled|isAsyncIterable|isReadableStreamLike|errorContext|throwUnobservableError)\.js$/,
  resolve(root, 'bundle/rxjsUnused.js'),
);

/** Replaces modules of RxJS that call natives which old libraries of pages replace. */
const rxjsPlain = new webpack.NormalModuleReplacementPlugin(
  /[\\/]rxjs[\\/].*[\\/](pipe|createObject)\.js$/,
  resolve(root, 'bundle/rxjsPlain.js'),
);

/**
 * Keeps an error of the page script's first task out of the page. Its modules run before anything in them can catch
 * one, and throw where the page has frozen `Error.prototype`, for example. The console shows whatever was thrown;
 * making a text of that could throw again. Nothing is said where `src/door.ts` has ended the task.
 */
const warned = `console.warn('Permutive was not initialized. Exception during initialisation. Got', error)`;
const guarded = [
  new webpack.BannerPlugin({ banner: 'try {', raw: true, entryOnly: true }),
  new webpack.BannerPlugin({
    banner: `} catch (error) { if (error !== undefined) ${warned} }`,
    raw: true,
    entryOnly: true,
    footer: true,
  }),
];

/**
 * Names the file with the licences: after the minifier, which drops comments, and before `eagerModules`, whose comment
 * has to be the first.
 */
const noticed = new webpack.BannerPlugin({
  banner: `/*! licenses: ${noticesFile} */`,
  raw: true,
  entryOnly: true,
  stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
});

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
 * All values of an option that may be given several times: `--env NAME=A --env NAME=B`. webpack itself passes on only
 * the last.
 */
const repeated = (name) =>
  process.argv
    .flatMap((argument, i, all) =>
      all[i - 1] === '--env' ? [argument] : (argument.match(/^--env=(.*)/)?.slice(1) ?? []),
    )
    .filter((argument) => argument.startsWith(`${name}=`))
    .map((argument) => argument.slice(name.length + 1));

/**
 * A function that reads the definition of a file; without one, of the sample project, which only this repository has.
 */
const definitionAt = (file) => async (outside) => {
  const { readProject } = await tsImport('./project/readProject.ts', import.meta.url);
  if (file !== undefined) return readProject(resolve(root, file), outside);
  const { writeSampleProject } = await tsImport('./demo/project/write.ts', import.meta.url);
  return readProject(writeSampleProject(), outside);
};

/** The addons that the files export; undefined where there are no files, because reading them takes seconds. */
const readOutsideAddons = async (files) => {
  if (files.length === 0) return undefined;
  const { outsideAddons } = await tsImport('./bundle/outsideAddons/outsideAddons.ts', import.meta.url);
  return outsideAddons(files, root);
};

/**
 * One build per project: `--env project=PATH`. Without a path it is the sample project, which is written from its
 * sources first. Writes the page script with its lazy chunks, the worker and the project's queries; with
 * `--env only=queries` the queries alone. `--env out=FOLDER` writes them elsewhere. `--env addon=FILE` builds in the
 * addons that the file exports, after checking them; it may be given several times. `--env names=none` leaves the names
 * of cohorts out of the file that the inspector reads. `--env cache=FOLDER` keeps generated modules elsewhere than in
 * `build`. A caller in the same process gives `addons` as a list, reads the definition by `load`, and hears warnings by
 * `warn`.
 */
export default async ({
  project,
  out = 'dist',
  only,
  react = 'react',
  maps = false,
  names = 'all',
  cache = 'build',
  addons = repeated('addon'),
  warn = (line) => console.warn(`Warning: ${line}`),
  load,
}) => {
  const dist = resolve(root, out);
  if (only !== undefined && only !== 'queries') throw new Error(`--env only=${only}: expected queries`);
  if (!['all', 'none'].includes(names)) throw new Error(`--env names=${names}: expected all or none`);
  const { findingLine } = await tsImport('./project/check/finding.ts', import.meta.url);
  const { headSettings, templateSettings, writeProjectModules, writeQueries } = await tsImport(
    './bundle/projectModules.ts',
    import.meta.url,
  );
  const { headOf } = await tsImport('./bundle/headOf.ts', import.meta.url);
  const { tagTemplateOf } = await tsImport('./bundle/tagManager/tagTemplate.ts', import.meta.url);
  const { definedCohorts } = await tsImport('./project/definedCohorts.ts', import.meta.url);
  const { outsideResolution } = await tsImport('./bundle/outsideAddons/outsideResolution.ts', import.meta.url);
  const outside = await readOutsideAddons(addons.map((file) => resolve(root, file)));
  const definition = await (load ?? definitionAt(project))(Object.keys(outside?.listed ?? {}));
  for (const warning of definition.warnings) warn(findingLine(warning));
  outside?.check(definition.page);
  const modules = (only === 'queries' ? writeQueries : writeProjectModules)(
    definition,
    root,
    outside?.listed,
    resolve(root, cache),
  );
  const resolution = outsideResolution(root);
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
        ...resolution.resolve.alias,
        '@project/page$': resolve(modules, 'page.js'),
        '@project/deferred$': resolve(modules, 'deferred.js'),
        '@project/queries$': resolve(modules, 'queries.js'),
        '@project/settings$': resolve(modules, 'settings.js'),
      },
    },
    optimization: {
      chunkIds: 'named',
      // Short names in the module table save two kilobytes in all.
      moduleIds: 'size',
      mangleExports: 'size',
      // A lazy chunk is one request.
      splitChunks: false,
      minimizer,
    },
    module: {
      rules: [
        typeScript(resolve(root, cache)),
        // Runs for what it does, and exports nothing.
        { resource: /[\\/]src[\\/](door|mainDoor)\.ts$/, sideEffects: true },
        { resource: /[\\/]dompurify[\\/]/, loader: resolve(root, 'bundle/withoutWindow.js') },
      ],
    },
  };
  // The gate has hashes of what four compilers write. All run at once, because each waits for its minifier for a
  // while.
  const others = endOf(4);
  const notices = thirdPartyNotices(root, dist, 5);
  // A file of its own, because definitions change by the hour and the worker's code only with a release.
  const queries = {
    // Nothing is compiled, and so nothing is minimized.
    mode: 'none',
    context: root,
    name: 'queries',
    plugins: [
      dataFile(`${name}.cohorts.json`, JSON.stringify(definedCohorts(definition, names === 'all'))),
      dataFile(`${name}.worker.queries.js`, readFileSync(resolve(modules, 'worker.queries.js'))),
      ...(only === 'queries' ? [] : [withoutEarlier(dist, name), others.plugin]),
    ],
    entry: {},
    output: { path: dist },
  };
  if (only === 'queries') return queries;
  return [
    {
      ...shared,
      name: 'gate',
      plugins: [stableOrder, ...guarded, notices, hashesInPageScript(dist, name, others.ended)],
      entry: { [name]: './src/gate.ts' },
      target: ['web', 'es2022'],
      output: { ...named, path: dist, filename: '[name].js' },
    },
    await oneScope(
      {
        ...shared,
        name: 'page',
        plugins: [
          noLoader,
          stableOrder,
          ...guarded,
          noticed,
          notices,
          rxjsUnused,
          // React and Preact read members of the document, which elements of the page may hide.
          new webpack.ProvidePlugin({ document: [resolve(root, 'src/platform/pageDocument.ts'), 'pageDocument'] }),
          eagerModules([`${name}.main`, 'deferred', 'overlay', 'html']),
          hashesInMainPart(name),
          others.plugin,
        ],
        entry: { [`${name}.main`]: './src/main.ts' },
        target: ['web', 'es2022'],
        output: {
          ...named,
          path: dist,
          filename: '[name].js',
          chunkFilename: `${name}.[name].js`,
          ...ownLoader,
          chunkLoadingGlobal: `webpackChunk${name}`,
        },
      },
      [...resolution.plugins, rxjsPlain],
    ),
    await oneScope(
      {
        ...shared,
        name: 'worker',
        plugins: [noLoader, stableOrder, rxjsUnused, eagerModules(), hashesInWorker(name), others.plugin, notices],
        entry: { [`${name}.worker`]: './src/worker.ts' },
        target: ['webworker', 'es2022'],
        externals: { '@project/queries': 'self permutiveQueries' },
        output: {
          ...named,
          path: dist,
          filename: '[name].js',
          chunkFilename: `${name}.worker.[name].js`,
          ...ownLoader,
          chunkLoadingGlobal: 'permutiveChunks',
        },
      },
      [rxjsPlain],
    ),
    queries,
    {
      ...shared,
      name: 'natives',
      plugins: [others.plugin, notices],
      optimization: { ...shared.optimization, minimizer: probing },
      entry: { [`${name}.natives`]: './src/checkNatives.ts' },
      target: ['web', 'es2022'],
      output: { ...named, path: dist, filename: '[name].js' },
    },
    {
      ...shared,
      name: 'companion',
      plugins: [
        notices,
        headFile(definition.page.workspaceId, (companion) =>
          headOf(headSettings(definition.page, `v${version}`), companion, ''),
        ),
        dataFile(
          `${definition.page.workspaceId}-tag-manager.tpl`,
          tagTemplateOf(
            readFileSync(resolve(root, 'bundle/tagManager/template.tpl'), 'utf8'),
            templateSettings(definition.page),
          ),
        ),
      ],
      entry: {
        [`${definition.page.workspaceId}-companion`]: resolve(modules, 'companion.js'),
        [`${definition.page.workspaceId}-head`]: resolve(modules, 'head.js'),
      },
      target: ['web', 'es2022'],
      output: { ...named, path: dist, filename: '[name].js' },
    },
  ];
};
