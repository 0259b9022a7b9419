import webpack from 'webpack';

const name = 'exportList';
/** Where the entry has its list of exports: at its end, when all of them have their values. Stands in its source. */
export const listMark = '__exportList__();';

/** What webpack writes where it defines the exports of the entry; each of them is a function that answers it. */
const definitions = /__webpack_require__\.d\(__webpack_exports__, \{\n((?: {2}"?\d+"?: \(\) => \(.*\),?\n)+)\}\);\n/;
const definition = /^ {2}"?(\d+)"?: \(\) => \((?:\/\*[^*]*\*\/ )?(.*)\),?$/gm;

/**
 * Exports of the entry as a list of values, by their places in it. webpack defines a function for each export, so that
 * modules that import each other in a circle find the later value. Lazy chunks load when all values are there, and none
 * of them changes. The page script is 390 bytes gzip smaller by it, the worker 210; the deferred chunk is 160 larger.
 */
export const exportList = (entry) => ({
  apply: ({ hooks }) =>
    hooks.compilation.tap(name, (compilation) => {
      // After webpack has given short names.
      compilation.hooks.optimizeCodeGeneration.tap({ name, stage: 1 }, (modules) => {
        for (const module of modules)
          if ((module.rootModule ?? module).resource === entry) number(compilation.moduleGraph.getExportsInfo(module));
      });
      compilation.hooks.processAssets.tap(
        { name, stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE },
        (assets) => {
          for (const [file, asset] of Object.entries(assets))
            if (asset.source().includes(listMark)) compilation.updateAsset(file, withList);
        },
      );
    }),
});

const number = (exportsInfo) =>
  [...exportsInfo.orderedExports]
    .filter((info) => info.getUsedName(undefined, undefined))
    .forEach((info, place) => info.setUsedName(String(place)));

const withList = (source) => {
  const replaced = new webpack.sources.ReplaceSource(source);
  const text = source.source().toString();
  const found = definitions.exec(text);
  const mark = text.indexOf(listMark);
  // Where no lazy chunk shares anything, nothing is defined.
  if (!found) {
    replaced.replace(mark, mark + listMark.length - 1, '');
    return replaced;
  }
  const values = [];
  for (const [, place, value] of found[1].matchAll(definition)) values[Number(place)] = value;
  if (values.length !== found[1].trimEnd().split('\n').length || values.includes(undefined))
    throw new Error('webpack defines the exports of the entry in another form');
  replaced.replace(found.index, found.index + found[0].length - 1, '');
  replaced.replace(mark, mark + listMark.length - 1, `Object.assign(__webpack_exports__, [${values.join(', ')}]);`);
  return replaced;
};
