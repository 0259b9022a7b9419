import { existsSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

import { canInstall, installPackages, run } from './installPackages';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/**
 * Chromium without windows: the full browser spends half of its processor time on a window that nobody sees. Pages have
 * no back-forward cache there.
 */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** Arguments by which Chromium does nothing beside its pages. */
export const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The full browser: `CHROMIUM_PATH`, else one that is installed. Throws with the way out where there is none. */
export const chromiumPath = (): string => {
  const path = installed();
  if (path === undefined)
    throw new Error('There is no Chromium, and installing it has failed. Install Chromium and set CHROMIUM_PATH.');
  return path;
};

/** Chromium without windows where it is installed, else the full browser. `CHROMIUM_PATH` wins. */
export const headlessPath = (): string =>
  process.env['CHROMIUM_PATH'] === undefined && existsSync(headlessShell) ? headlessShell : chromiumPath();

const installed = (): string | undefined =>
  [process.env['CHROMIUM_PATH'] ?? '', ...usualPlaces, chromium.executablePath()].find(
    (path) => path !== '' && existsSync(path),
  );

/** Installs what is missing: Debian's packages as root, Playwright's own build otherwise. */
export const ensureChromium = (): void => {
  if (process.env['CHROMIUM_PATH'] !== undefined) return;
  if (canInstall())
    installPackages([
      ...(installed() === undefined ? ['chromium'] : []),
      ...(existsSync(headlessShell) ? [] : ['chromium-headless-shell']),
    ]);
  else if (installed() === undefined) run('npx', 'playwright-core', 'install', 'chromium');
};

/** Whether there is a browser to launch without installing anything. */
export const hasChromium = (): boolean => installed() !== undefined;

/** Options of Chromium for pages that nobody vouches for: in its sandbox, which it has not as root. */
export const sandboxed = (isRoot: boolean): Pick<LaunchOptions, 'args' | 'chromiumSandbox'> => ({
  args: quiet.filter((arg) => isRoot || arg !== '--no-sandbox'),
  chromiumSandbox: !isRoot,
});

/** Chromium for pages that nobody vouches for. */
export const launchSandboxed = (): Promise<Browser> =>
  chromium.launch({ executablePath: headlessPath(), ...sandboxed(process.getuid?.() === 0) });
