import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import webpack from 'webpack';

import { bundledFiles, noticesOf } from './bundle/notices.js';
import { packageEntries } from './scripts/packageEntries.js';
import { minimizer, typeScript } from './webpack.config.js';

const root = import.meta.dirname;

/** Marks a module as one whose components need a browser, for frameworks that also render components of servers. */
const clientOnly = (file) =>
  new webpack.BannerPlugin({
    banner: "'use client';",
    raw: true,
    include: file,
    // After the minifier, which would drop the directive.
    stage: webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT,
  });

/** Leaves the notices for `dist`, where those of other scripts join them. */
const notices = {
  apply: ({ hooks }) =>
    hooks.afterEmit.tap('notices', (compilation) =>
      writeFileSync(resolve(root, 'build/package.notices'), noticesOf(bundledFiles(compilation), root)),
    ),
};

/** The modules that the package exports. They are the same for every project. */
export default {
  mode: 'production',
  context: root,
  name: 'package',
  devtool: false,
  performance: false,
  plugins: [clientOnly('react.mjs'), notices],
  resolve: { extensions: ['.ts', '.tsx', '.js'] },
  module: { rules: [typeScript(resolve(root, 'build'))] },
  optimization: { minimizer },
  entry: Object.fromEntries(Object.values(packageEntries).map(({ name, source }) => [name, source])),
  // Users of the package install these themselves, because they share its streams and components.
  externals: /^(rxjs|react)(\/|$)/,
  target: ['node', 'es2022'],
  experiments: { outputModule: true },
  output: { path: resolve(root, 'build/package'), filename: '[name].mjs', library: { type: 'module' } },
};
