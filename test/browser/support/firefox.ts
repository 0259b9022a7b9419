import { existsSync } from 'node:fs';
import { type Browser, firefox } from 'playwright-core';

import { canInstall, installPackages } from '../../support/installPackages';

const usualPlaces = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

const installed = (): string | undefined =>
  [process.env['FIREFOX_PATH'] ?? '', ...usualPlaces].find((path) => path !== '' && existsSync(path));

/** Installs Debian's Firefox where there is none. */
export const ensureFirefox = (): void => {
  if (installed() === undefined && canInstall()) installPackages(['firefox-esr']);
};

interface BidiSession {
  send: (method: string, params: unknown) => Promise<unknown>;
}

/**
 * Playwright asks for a colour scheme with a command that Firefox 153 does not know yet, and takes no for a failure.
 */
const forgiveColourScheme = (browser: Browser): void => {
  const { _connection } = browser as unknown as {
    readonly _connection: { readonly toImpl: (of: unknown) => { readonly _browserSession: BidiSession } };
  };
  const sessions = Object.getPrototypeOf(_connection.toImpl(browser)._browserSession) as BidiSession;
  const { send } = sessions;
  sessions.send = function (this: BidiSession, method, params) {
    return method === 'emulation.setMediaFeaturesOverride' ? Promise.resolve({}) : send.call(this, method, params);
  };
};

/** The Firefox that people use, driven by WebDriver BiDi: nothing in it is changed for tests. */
export const launchFirefox = async (): Promise<Browser> => {
  const executablePath = installed();
  if (executablePath === undefined)
    throw new Error('These tests need Firefox, and installing it has failed. Install it and set FIREFOX_PATH.');
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath });
  forgiveColourScheme(browser);
  return browser;
};
