import { existsSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

import { namedBy } from '../programs/program';
import { programs } from '../programs/programs';
import { fileOf } from '../programs/provide';

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

/** The full browser. Throws with the way out where there is none. */
export const chromiumPath = (): string => fileOf('chromium');

/** Chromium without windows where it is installed, else the full browser. `CHROMIUM_PATH` wins. */
export const headlessPath = (): string => (isShellUsed() ? headlessShell : chromiumPath());

const isShellUsed = (): boolean => namedBy(programs.chromium.variable) === undefined && existsSync(headlessShell);

/** Whether there is a browser to launch without installing anything. */
export const hasChromium = (): boolean => isShellUsed() || programs.chromium.file() !== undefined;

/** Options of Chromium for pages that nobody vouches for: in its sandbox, which it has not as root. */
export const sandboxed = (isRoot: boolean): Pick<LaunchOptions, 'args' | 'chromiumSandbox'> => ({
  args: quiet.filter((arg) => isRoot || arg !== '--no-sandbox'),
  chromiumSandbox: !isRoot,
});

/** Chromium for pages that nobody vouches for. */
export const launchSandboxed = (): Promise<Browser> =>
  chromium.launch({ executablePath: headlessPath(), ...sandboxed(process.getuid?.() === 0) });
