import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import webpack from 'webpack';

/** The name by which the sources call the hashes. */
const mark = 'bundleHashes';

/** The parts that the page script finds itself. Main part and worker find their own chunks. */
const ofPageScript = ['main', 'deferred', 'natives', 'cohorts', 'worker', 'worker.queries'];

/**
 * Writes hashes of other files of the bundle into the page script, the main part and the worker, in place of the free
 * name `bundleHashes`: SHA-256 in base 64, by the names of the parts. The files are named by these hashes once the
 * build has ended (`published.ts`). The page script has the hashes of the main part and of what other compilers write.
 * The `folder` has all of these files when `written` resolves.
 */
export const hashesInPageScript = (folder, name, written) =>
  hashesIn(`${name}.js`, async () => {
    await written;
    const files = readdirSync(folder).filter((file) => /\.js(on)?$/.test(file));
    const contents = files.map((file) => [file, readFileSync(resolve(folder, file))]);
    return hashesOf(name, contents, (part) => ofPageScript.includes(part));
  });

/** Writes the hashes of its chunks into the main part, as {@link hashesInPageScript} does. */
export const hashesInMainPart = (name) => hashesOfChunks(`${name}.main`, name);

/** Writes the hashes of its chunks into the worker. The names of these chunks begin with the worker's. */
export const hashesInWorker = (name) => hashesOfChunks(`${name}.worker`, `${name}.worker`);

const hashesOfChunks = (script, name) =>
  hashesIn(`${script}.js`, (assets) =>
    hashesOf(
      name,
      Object.entries(assets).map(([file, source]) => [file, source.buffer()]),
      (part) => !ofPageScript.includes(part),
    ),
  );

const hashesIn = (script, hashesFrom) => ({
  apply: (compiler) =>
    compiler.hooks.compilation.tap('bundleHashes', (compilation) =>
      compilation.hooks.processAssets.tapPromise(
        // After `eagerModules`, the last that changes a file.
        { name: 'bundleHashes', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 2 },
        async (assets) => {
          const hashes = await hashesFrom(assets);
          compilation.updateAsset(script, (source) => withHashes(source, hashes));
        },
      ),
    ),
});

const hashesOf = (name, files, holds) =>
  Object.fromEntries(
    files.flatMap(([file, content]) => {
      const part = file.startsWith(`${name}.`) && file.slice(name.length + 1).match(/^(.+)\.js(?:on)?$/)?.[1];
      return part && holds(part) ? [[part, createHash('sha256').update(content).digest('base64')]] : [];
    }),
  );

const withHashes = (source, hashes) => {
  const text = source.source().toString();
  const at = text.indexOf(mark);
  if (at < 0 || at !== text.lastIndexOf(mark)) throw new Error(`A script with hashes must have “${mark}” once`);
  const replaced = new webpack.sources.ReplaceSource(source);
  replaced.replace(at, at + mark.length - 1, JSON.stringify(hashes));
  return replaced;
};
