import webpack from 'webpack';

/**
 * Writes the head's text beside the companion. The companion in it keeps the calls of pages that are left early; the
 * one that is a file of its own has at most 1 kB. `publish` fills in the hash once the page script is complete.
 */
export const headFile = (name, headOf) => ({
  apply: (compiler) =>
    compiler.hooks.compilation.tap('headFile', (compilation) =>
      compilation.hooks.processAssets.tap(
        { name: 'headFile', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT },
        (assets) => {
          const companion = assets[`${name}-head.js`].source().toString();
          compilation.deleteAsset(`${name}-head.js`);
          compilation.emitAsset(`${name}-head.html`, new webpack.sources.RawSource(headOf(companion)));
        },
      ),
    ),
});
