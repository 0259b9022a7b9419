// The browser tests: in Chromium, and with `--all` in Firefox and WebKit too. Other arguments go to Jest.
import { spawnSync } from 'node:child_process';

import { browsers } from './steps.mjs';

const args = process.argv.slice(2);
const projects = args.includes('--all') ? browsers : browsers.slice(0, 1);
const others = args.filter((arg) => arg !== '--all');
const { status } = spawnSync('npx', ['jest', '--selectProjects', ...projects, '--maxWorkers=2', ...others], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
