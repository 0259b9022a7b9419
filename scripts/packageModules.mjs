// Puts the modules of the package and their types into `dist`. The modules are the same for every project, so they are
// built only when a source has changed since, and copied from `build/package` otherwise.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const kept = resolve(root, 'build/package');
const stamp = resolve(root, 'build/package.stamp');

/** What the modules are made of. */
const sources = [
  ...['src', 'marbles/support', 'project'].flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  ),
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.types.json',
  'webpack.config.js',
  'webpack.package.js',
  'scripts/packageEntries.js',
  'scripts/packageTypes.mjs',
  'scripts/projectSchema.ts',
  'bundle/transpiledOnce.js',
  'bundle/notices.js',
];

const stampOf = () => {
  const hash = createHash('sha256');
  for (const file of sources.sort()) hash.update(`${file}\n`).update(readFileSync(resolve(root, file)));
  return hash.digest('hex');
};

const present = stampOf();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== present) {
  rmSync(stamp, { force: true });
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  const run = (...args) => promisify(execFile)(process.execPath, args, { cwd: root });
  await Promise.all([
    run('node_modules/webpack/bin/webpack.js', '--config', 'webpack.package.js'),
    run('scripts/packageTypes.mjs', kept),
    run('--import', 'tsx', 'scripts/projectSchema.ts', kept),
  ]);
  writeFileSync(stamp, present);
}
cpSync(kept, resolve(root, 'dist'), { recursive: true });
