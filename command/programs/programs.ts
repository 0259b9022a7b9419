import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

import { fileProgram, type Program } from './program';

/** The oldest Firefox that knows the commands of WebDriver BiDi with which Playwright starts. */
const oldestFirefox = 153;

const firefoxVersion = (path: string): number =>
  Number(/ (\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1]);

/** Whether `test/browser/support/webkit/host.py` finds WebKit. */
const hasWebkitBindings = (): boolean =>
  spawnSync('/usr/bin/python3', ['-c', 'import gi; gi.require_version("WebKit2", "4.1")']).status === 0;

/** All programs that a run may need, and where each is looked for. */
export const programs = {
  chromium: fileProgram({
    title: 'Chromium',
    variable: 'CHROMIUM_PATH',
    places: () => [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      chromium.executablePath(),
    ],
    debian: 'chromium',
    download: 'chromium',
  }),
  firefox: fileProgram({
    title: `Firefox ${oldestFirefox} or newer`,
    variable: 'FIREFOX_PATH',
    places: () => ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'],
    isFit: (path) => firefoxVersion(path) >= oldestFirefox,
    debian: 'firefox-esr',
  }),
  webkit: {
    title: 'WebKitGTK with its driver',
    lacks: () => [
      ...(existsSync('/usr/bin/WebKitWebDriver') ? [] : ['webkit2gtk-driver']),
      ...(hasWebkitBindings() ? [] : ['python3-gi', 'gir1.2-webkit2-4.1']),
      ...(existsSync('/usr/bin/openssl') ? [] : ['openssl']),
      ...(existsSync('/usr/bin/xvfb-run') ? [] : ['xvfb', 'xauth']),
    ],
  },
  'nats-server': fileProgram({
    title: 'nats-server 2.9 or newer',
    variable: 'NATS_SERVER_PATH',
    places: () => ['/usr/sbin/nats-server', '/usr/local/bin/nats-server', '/usr/bin/nats-server'],
    debian: 'nats-server',
  }),
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof programs;
