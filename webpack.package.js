import { resolve } from 'node:path';

import { packageEntries } from './scripts/packageEntries.js';
import { minimizer, typeScript } from './webpack.config.js';

const root = import.meta.dirname;

/** The modules that the package exports. They are the same for every project. */
export default {
  mode: 'production',
  context: root,
  name: 'package',
  devtool: false,
  performance: false,
  resolve: {
    extensions: ['.ts', '.tsx', '.js'],
    alias: { tslib$: resolve(root, 'scripts/tslibUnused.js') },
  },
  module: { rules: [typeScript] },
  optimization: { minimizer },
  entry: Object.fromEntries(Object.values(packageEntries).map(({ name, source }) => [name, source])),
  // Users of the package install these themselves, because they share its streams and components.
  externals: /^(rxjs|react)(\/|$)/,
  target: ['node', 'es2022'],
  experiments: { outputModule: true },
  output: { path: resolve(root, 'build/package'), filename: '[name].mjs', library: { type: 'module' } },
};
