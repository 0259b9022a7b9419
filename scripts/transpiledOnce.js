/** What the TypeScript loader has made of each file, by the file's path. */
const outputs = new Map();

/**
 * A loader that keeps what the TypeScript loader after it makes of a file, and gives that for the file's next
 * compilation in the same process. A build compiles most files four times: page and worker each need a compilation
 * before their own (`oneScope`). Files that a third loader changes are not kept, nor are source maps.
 */
export default function (source, map) {
  if (isPlain(this)) outputs.set(this.resourcePath, source);
  this.callback(null, source, map);
}

export function pitch() {
  return isPlain(this) ? outputs.get(this.resourcePath) : undefined;
}

const isPlain = ({ sourceMap, loaders, loaderIndex }) => !sourceMap && loaders.length === loaderIndex + 2;
