// Transforms a module into one file with all that it imports. A test loads its modules anew, and RxJS has 250.
const { createHash } = require('node:crypto');
const { buildSync } = require('esbuild');
const { readFileSync } = require('node:fs');
const { version } = require('rxjs/package.json');

const ownText = readFileSync(__filename);

module.exports = {
  process: (_, path) => ({
    code: buildSync({ entryPoints: [path], bundle: true, format: 'cjs', conditions: ['es2015'], write: false })
      .outputFiles[0].text,
  }),
  getCacheKey: (text) => createHash('sha256').update(version).update(text).update(ownText).digest('hex'),
};
