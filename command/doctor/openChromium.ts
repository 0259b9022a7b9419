import type { Browser } from 'playwright-core';

import { type ExitCode, type Io, WrongCall } from '../command';
import { chromiumRefusal } from './chromiumRefusal';

interface Opening {
  /** How the command is called in what it says. */
  readonly command: string;
  readonly address: string;
  /** Whether Chromium may be installed without a question. */
  readonly isAllowed: boolean;
}

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
  // Publishers install the package that drives the browser only for this.
  const { hasChromium, launchSandboxed } = await import('./chromium');
  const { howToProvide, provide } = await import('../programs/provide');
  const refusal = await chromiumRefusal({
    hasChromium,
    provision: () => howToProvide('chromium'),
    isAllowed,
    ask,
    install: () => provide('chromium'),
  });
  if (refusal !== undefined) throw new WrongCall(`The ${command} needs Chromium. ${refusal}`);
  const browser = await launchSandboxed();
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
};
