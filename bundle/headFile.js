import webpack from 'webpack';

/** Writes the head's text beside the companion. `publish` fills in the hash once the page script is complete. */
export const headFile = (name, headOf) => ({
  apply: (compiler) =>
    compiler.hooks.compilation.tap('headFile', (compilation) =>
      compilation.hooks.processAssets.tap(
        { name: 'headFile', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT },
        (assets) => {
          const companion = assets[`${name}-companion.js`].source().toString();
          compilation.emitAsset(`${name}-head.html`, new webpack.sources.RawSource(headOf(companion)));
        },
      ),
    ),
});
