// The browser tests: `npm run browser -- [FILE …] [--in chromium|firefox|webkit|all]`, in Chromium where nothing is
// said. A file is named as in `test/browser`: `store`, `security/pollution`. Other options go to Jest.
import { spawnSync } from 'node:child_process';

import { browsers } from './steps.mjs';

const args = process.argv.slice(2);
const place = args.indexOf('--in');
const [, wanted = 'chromium'] = place === -1 ? [] : args.splice(place, 2);
const names = wanted === 'all' ? Object.keys(browsers) : [wanted];
if (!names.every((name) => name in browsers)) {
  console.error(`There is no browser ${wanted}: choose one of ${Object.keys(browsers).join(', ')}, all`);
  process.exit(2);
}
const isFile = (arg) => /^[\w/-]+$/.test(arg) && !arg.startsWith('-');
const files = args.filter(isFile);
const { status } = spawnSync(
  'npx',
  [
    ...['jest', '--selectProjects', ...names.map((name) => browsers[name]), '--maxWorkers=2'],
    ...args.filter((arg) => !isFile(arg)),
    ...(files.length > 0 ? ['--testPathPatterns', `test/browser/(${files.join('|')})(/.*)?(\\.test\\.ts)?$`] : []),
  ],
  { stdio: 'inherit', shell: process.platform === 'win32' },
);
process.exitCode = status ?? 1;
