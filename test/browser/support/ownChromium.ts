import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

import { chromiumPath, quiet } from '../../../command/doctor/chromium';
import type { ProfiledBrowser } from './profiledBrowser';

export interface OwnChromium extends ProfiledBrowser {
  /**
   * Starts it at an address, with no driver attached: pages that a driver watches are not prerendered. What they do
   * is seen by their server alone.
   */
  readonly startAlone: (address: string) => void;
}

/** A Chromium with a profile on disk, in which the visitor has these settings. */
export const ownChromium = (settings: object = {}): OwnChromium => {
  const profile = mkdtempSync(join(tmpdir(), 'permutive-profile-'));
  mkdirSync(join(profile, 'Default'));
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(settings));
  let running: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    const { pid } = running ?? {};
    if (running === undefined || pid === undefined) return;
    const ended = new Promise((resolve) => running?.once('exit', resolve));
    process.kill(-pid, 'SIGKILL');
    running = undefined;
    await ended;
  };
  const launch = (...args: readonly string[]) => {
    const all = [...quiet, '--headless=new', `--user-data-dir=${profile}`, ...args];
    const browser = spawn(chromiumPath(), all, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    running = browser;
    return browser;
  };
  return {
    startAlone: (address) => void launch(address),
    start: async () => {
      const browser = launch('--remote-debugging-port=0', 'about:blank');
      const address = await new Promise<string>((resolve, reject) => {
        let said = '';
        browser.stderr.on('data', (text: Buffer) => {
          said += text.toString();
          const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
          if (found !== undefined) resolve(found);
        });
        browser.once('exit', () => reject(new Error(`Chromium ended: ${said}`)));
      });
      const [context] = (await chromium.connectOverCDP(address)).contexts();
      if (!context) throw new Error('Chromium has no window');
      return context;
    },
    kill,
    remove: async () => {
      await kill();
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
};
