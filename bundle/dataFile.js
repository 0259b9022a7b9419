import webpack from 'webpack';

/** Writes a file beside the bundle as it is, where the compiler has no minimizer. */
export const dataFile = (file, content) => ({
  apply: (compiler) =>
    compiler.hooks.thisCompilation.tap('dataFile', (compilation) =>
      compilation.hooks.processAssets.tap('dataFile', () =>
        compilation.emitAsset(file, new webpack.sources.RawSource(content)),
      ),
    ),
});
