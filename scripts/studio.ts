// npm run studio: builds Studio's page, and opens Studio by the command. Where the call names no project, it is the
// sample project as JSON in a folder of its own, so that the sources of the sample are not written.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { runCommand } from '../command/runCommand';
import { writeSampleProject } from '../demo/project/write';
import { buildStudioPage } from '../studio/build';

const folder = resolve(import.meta.dirname, '../build/studio-sample');
const file = resolve(folder, 'project.json');
const args = process.argv.slice(2);
const isNamed = args.some((arg, i) => !arg.startsWith('--') && !/^--(?!.*=)/.test(args[i - 1] ?? ''));

await buildStudioPage();
// What was edited there stays.
if (!isNamed && !existsSync(file)) writeSampleProject(file);
process.exitCode = await runCommand(['studio', ...args, ...(isNamed ? [] : [file])], {
  cwd: isNamed ? process.cwd() : folder,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
});
