import type { Browser } from 'playwright-core';

import { type ExitCode, type Io, WrongCall } from '../command';
import { readyChromium } from './readyChromium';

interface Opening {
  /** How the command is called in what it says. */
  readonly command: string;
  readonly address: string;
  /** Whether Chromium may be installed without a question. */
  readonly isAllowed: boolean;
}

/** The package that drives the browser; publishers install it only for this. */
const driver = async () => {
  try {
    return await import('../../test/browser/support/chromium');
  } catch (error) {
    const isMissing = (error as { readonly code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    throw isMissing ? new WrongCall('a browser is driven by a package: npm install --save-dev playwright-core') : error;
  }
};

/**
 * Opens Chromium for a page that nobody vouches for, installed now if need be and allowed, and closes it after `use`.
 * Without an address or a browser the call is a wrong one.
 */
export const withChromium = async (
  { command, address, isAllowed }: Opening,
  { ask }: Pick<Io, 'ask'>,
  use: (browser: Browser) => Promise<ExitCode>,
): Promise<ExitCode> => {
  if (!URL.canParse(address))
    throw new WrongCall(`Expected the address of a page, such as https://www.example.com/, got “${address}”`);
  const { ensureChromium, hasChromium, launchSandboxed } = await driver();
  if (!(await readyChromium({ hasChromium, isAllowed, ask, install: ensureChromium })))
    throw new WrongCall(
      `The ${command} needs Chromium. Install it and set CHROMIUM_PATH, or call the ${command} with --install.`,
    );
  const browser = await launchSandboxed();
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
};
