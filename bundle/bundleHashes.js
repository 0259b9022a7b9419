import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import webpack from 'webpack';

/** The name by which the sources call the hashes. */
const mark = 'bundleHashes';

/**
 * Writes the hashes of all other files of the bundle into the page script, in place of the free name `bundleHashes`:
 * SHA-256 in base 64, by the names of the parts. The files are named by these hashes once the build has ended
 * (`published.ts`). The hashes of the worker's files and of the data are read from `folder`, so those files must be
 * there: `written` resolves when they are.
 */
export const bundleHashes = (folder, name, written) => ({
  apply: (compiler) =>
    compiler.hooks.compilation.tap('bundleHashes', (compilation) =>
      compilation.hooks.processAssets.tapPromise(
        // After `eagerModules`, the last that changes a file.
        { name: 'bundleHashes', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 2 },
        async (assets) => {
          await written;
          const page = `${name}.js`;
          const hashes = hashesOf(name, [
            ...readdirSync(folder)
              .filter((file) => /\.js(on)?$/.test(file))
              .map((file) => [file, readFileSync(resolve(folder, file))]),
            ...Object.entries(assets).map(([file, source]) => [file, source.buffer()]),
          ]);
          compilation.updateAsset(page, (source) => withHashes(source, hashes));
        },
      ),
    ),
});

const hashesOf = (name, files) =>
  Object.fromEntries(
    files.flatMap(([file, content]) => {
      const part = file.startsWith(`${name}.`) && file.slice(name.length + 1).match(/^(.+)\.js(?:on)?$/)?.[1];
      return part ? [[part, createHash('sha256').update(content).digest('base64')]] : [];
    }),
  );

const withHashes = (source, hashes) => {
  const text = source.source().toString();
  const at = text.indexOf(mark);
  if (at < 0 || at !== text.lastIndexOf(mark)) throw new Error(`The page script must have “${mark}” once`);
  const replaced = new webpack.sources.ReplaceSource(source);
  replaced.replace(at, at + mark.length - 1, JSON.stringify(hashes));
  return replaced;
};
