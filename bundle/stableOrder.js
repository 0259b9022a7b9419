import webpack from 'webpack';

const name = 'stableOrder';

/**
 * Puts the modules of a script in the order of their ids. webpack puts them in the order of their paths from the
 * sources, so a script would depend on where packages are installed: beside the sources, or above them where the SDK is
 * a package itself.
 */
export const stableOrder = {
  apply: ({ hooks }) =>
    hooks.compilation.tap(name, (compilation) =>
      compilation.hooks.beforeCodeGeneration.tap(name, () => {
        const { chunkGraph } = compilation;
        const byPath = chunkGraph.getOrderedChunkModulesIterableBySourceType.bind(chunkGraph);
        const byId = webpack.util.comparators.compareModulesById(chunkGraph);
        chunkGraph.getOrderedChunkModulesIterableBySourceType = (chunk, type, compare) =>
          byPath(chunk, type, type === 'javascript' ? byId : compare);
      }),
    ),
};
