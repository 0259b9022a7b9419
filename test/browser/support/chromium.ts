import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * A Chromium of this machine: `CHROMIUM_PATH`, else the usual places, else installed now. Throws with the way out where
 * there is none.
 */
export const chromiumPath = (): string => {
  const found = [process.env['CHROMIUM_PATH'] ?? '', ...usualPlaces].find((path) => path !== '' && existsSync(path));
  if (found !== undefined) return found;
  install();
  const installed = [...usualPlaces, chromium.executablePath()].find((path) => existsSync(path));
  if (installed === undefined)
    throw new Error('The browser tests need Chromium, and installing it has failed. Install it and set CHROMIUM_PATH.');
  return installed;
};

/** Debian's package as root, Playwright's own build otherwise. */
const install = (): void => {
  const commands =
    process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
      ? [
          ['apt-get', 'update'],
          ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'],
        ]
      : [['npx', 'playwright-core', 'install', 'chromium-headless-shell']];
  for (const [command = '', ...args] of commands) execFileSync(command, args, { stdio: 'inherit' });
};

export const launchChromium = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: [...quiet, ...args] });
