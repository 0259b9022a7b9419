import webpack from 'webpack';

/** Writes what the inspector shows of the project's cohorts beside the bundle, as data. */
export const cohortsFile = (name, cohorts) => ({
  apply: (compiler) =>
    compiler.hooks.thisCompilation.tap('cohortsFile', (compilation) =>
      compilation.hooks.processAssets.tap('cohortsFile', () =>
        compilation.emitAsset(`${name}.cohorts.json`, new webpack.sources.RawSource(JSON.stringify(cohorts))),
      ),
    ),
});
