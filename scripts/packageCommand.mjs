// Puts the command of the package into `dist`, and under `dist/sdk` the sources that it builds a project from, with the
// versions of the packages that such a build imports.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

import { noticesOf } from '../bundle/notices.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = resolve(root, 'dist');
const sdk = resolve(dist, 'sdk');

const packageOf = (folder) => JSON.parse(readFileSync(resolve(root, folder, 'package.json'), 'utf8'));
const { name, version, peerDependencies } = packageOf('.');

/** Peers that a build does not import. */
const others = ['playwright-core'];
const tools = Object.keys(peerDependencies).filter((peer) => !others.includes(peer));

rmSync(sdk, { recursive: true, force: true });
mkdirSync(sdk, { recursive: true });
for (const part of ['src', 'bundle', 'project', 'webpack.config.js', 'tsconfig.json'])
  cpSync(resolve(root, part), resolve(sdk, part), { recursive: true, filter: (file) => !file.endsWith('.md') });
const sdkPackage = {
  name: `${name}-sources`,
  version,
  private: true,
  type: 'module',
  sideEffects: false,
  tools: Object.fromEntries(tools.map((tool) => [tool, packageOf(`node_modules/${tool}`).version])),
};
writeFileSync(resolve(sdk, 'package.json'), `${JSON.stringify(sdkPackage, null, 2)}\n`);

for (const folder of ['command', 'studio']) rmSync(resolve(dist, folder), { recursive: true, force: true });
const { metafile: ofCommand } = await build({
  entryPoints: {
    command: resolve(root, 'command/main.ts'),
    // The thread in which Studio counts.
    'studio/sizingWorker': resolve(root, 'studio/server/sizing/worker.ts'),
  },
  outdir: dist,
  bundle: true,
  // A subcommand is loaded when it is called, with the packages that it alone imports.
  splitting: true,
  chunkNames: 'command/[name]-[hash]',
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  // jsonc-parser's CommonJS form cannot be bundled.
  mainFields: ['module', 'main'],
  format: 'esm',
  target: 'node20',
  minify: true,
  // `THIRD-PARTY-NOTICES.txt` has them.
  legalComments: 'none',
  metafile: true,
  // React then brings its small form.
  define: { 'process.env.NODE_ENV': '"production"' },
  // What a build or a browser needs is installed by those who use it; the rest is in the files.
  external: ['webpack', 'tsx', 'typescript', 'playwright-core'],
  banner: {
    js: [
      '#!/usr/bin/env node',
      `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`,
    ].join('\n'),
  },
});

// Studio's page, with everything that it imports: publishers install no React and no editor for it.
const page = resolve(root, 'studio/page');
const { metafile: ofStudio } = await build({
  entryPoints: { page: resolve(page, 'main.tsx') },
  outdir: resolve(dist, 'studio/page'),
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  minify: true,
  legalComments: 'none',
  metafile: true,
  define: { 'process.env.NODE_ENV': '"production"' },
});
for (const file of readdirSync(page).filter((name) => /\.(?:html|css|svg)$/.test(name)))
  cpSync(resolve(page, file), resolve(dist, 'studio/page', file));
cpSync(resolve(root, 'demo/page/assets/palette.css'), resolve(dist, 'studio/page/palette.css'));

// esbuild's own code is in both.
const inputs = [ofCommand, ofStudio].flatMap((metafile) => Object.keys(metafile.inputs));
mkdirSync(resolve(root, 'build'), { recursive: true });
writeFileSync(
  resolve(root, 'build/command.notices'),
  noticesOf(
    [...inputs.map((file) => resolve(root, file)), resolve(root, 'node_modules/esbuild/package.json')],
    resolve(root),
  ),
);
