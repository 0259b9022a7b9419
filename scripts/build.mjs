// Builds everything: `npm run build`, `npm run build -- --env project=PATH`. The scripts of the project and the modules
// of the package are built side by side. `--env only=queries` builds the query definitions alone, into the last build
// of the same project.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

import { mergedNotices, noticesFile } from '../bundle/notices.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const [dist = 'dist'] = args.flatMap((arg) => /^(?:--env=)?out=(.+)$/.exec(arg)?.[1] ?? []);
const isQueriesOnly = args.some((arg) => /^(?:--env=)?only=queries$/.test(arg));
const folder = resolve(root, dist);

/**
 * Runs a command of Node and shows what it prints once it has ended. Resolves with whether the command has succeeded.
 */
const run = (...command) =>
  new Promise((done) => {
    const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    child.stdout.on('data', (text) => said.push(text));
    child.stderr.on('data', (text) => said.push(text));
    child.once('close', (status) => {
      process.stdout.write(Buffer.concat(said));
      done(status === 0);
    });
  });

if (!isQueriesOnly) rmSync(folder, { recursive: true, force: true });
const results = await Promise.all([
  run('node_modules/webpack/bin/webpack.js', ...args),
  // Those who build elsewhere want the scripts of a project.
  ...(isQueriesOnly || dist !== 'dist'
    ? []
    : ['scripts/packageModules.mjs', 'scripts/packageCommand.mjs'].map((script) => run(script))),
]);
if (results.every(Boolean)) {
  const { publish, updateDefinitions } = await tsImport('../bundle/published.ts', import.meta.url);
  if (isQueriesOnly) updateDefinitions(folder);
  else if (dist === 'dist') {
    const parts = [
      resolve(folder, noticesFile),
      ...['package', 'command'].map((part) => `build/${part}.notices`),
      'project/taxonomies/NOTICE.txt',
    ];
    const texts = parts.map((file) => readFileSync(resolve(root, file), 'utf8'));
    writeFileSync(resolve(folder, noticesFile), mergedNotices(texts));
  }
  publish(folder, JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')).version);
} else process.exitCode = 1;
