import { createInterface } from 'node:readline/promises';
import type { Browser } from 'playwright-core';

import { ensureChromium, hasChromium, launchSandboxed } from '../../test/browser/support/chromium';
import { readyChromium } from './readyChromium';

/** Asks the person at the terminal a question. */
const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
};

/**
 * Chromium for a page that nobody vouches for, installed now if need be and allowed. Where there is no browser, or no
 * address to open, it says so, sets the exit code 2 and answers undefined. `command`: the name of the command.
 */
export const openChromium = async (
  command: string,
  address: string,
  isAllowed: boolean,
): Promise<Browser | undefined> => {
  process.exitCode = 2;
  if (!URL.canParse(address)) {
    console.error(`Expected the address of a page, such as https://www.example.com/, got “${address}”`);
    return undefined;
  }
  const isReady = await readyChromium({
    hasChromium,
    isAllowed,
    ask: process.stdin.isTTY ? ask : undefined,
    install: ensureChromium,
  });
  if (!isReady) {
    console.error(
      `The ${command} needs Chromium. Install it and set CHROMIUM_PATH, or call the ${command} with --install.`,
    );
    return undefined;
  }
  process.exitCode = 0;
  return launchSandboxed();
};
