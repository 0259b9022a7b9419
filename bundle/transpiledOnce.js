import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';

/** Where the output for a source is kept. `folder` and `circumstances` are options of the loader. */
const keptAt = ({ resourcePath, getOptions }, source) => {
  const { folder, circumstances } = getOptions();
  mkdirSync(folder, { recursive: true });
  const hash = createHash('sha256')
    .update(`${circumstances} ${extname(resourcePath)}\n`)
    .update(source)
    .digest('hex');
  return resolve(folder, `${hash}.js`);
};

/** Whether the TypeScript loader alone comes after this one. Source maps are not kept. */
const isPlain = ({ sourceMap, loaders, loaderIndex }) => !sourceMap && loaders.length === loaderIndex + 2;

/**
 * A loader that keeps what the TypeScript loader after it makes of a source, and gives that for the next compilation of
 * the same source. A build compiles most files four times, because page and worker each need a compilation before their
 * own (`oneScope`), and the next build finds most sources unchanged: it takes half of the processor time, 12 s instead
 * of 23. Options: `folder`, where the outputs are kept; `circumstances`, a text that says what the output depends on
 * beside the source.
 */
export default function (output, map) {
  if (isPlain(this)) {
    const path = keptAt(this, readFileSync(this.resourcePath));
    // Another process may read it at this moment.
    const written = `${path}.${process.pid}`;
    writeFileSync(written, output);
    renameSync(written, path);
  }
  this.callback(null, output, map);
}

export function pitch() {
  if (!isPlain(this)) return undefined;
  const path = keptAt(this, readFileSync(this.resourcePath));
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
