import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Total } from '../../bundle/visitFiles';
import { chromiumPath, headlessPath, quiet } from '../../test/browser/support/chromium';
import type { Candidate } from './candidates';
import { type Account, accountOf, between } from './kernel';
import type { Memory, Moment, Purpose } from './quietPage';
import type { BenchServer } from './server';
import { pause } from './tab';

/** What one visit of a page cost, with nothing attached to the page. Times in ms, unless their name says otherwise. */
export interface QuietVisit {
  readonly candidate: string;
  /** The first visit of a profile, or a later one. */
  readonly isFirst: boolean;
  readonly loaded: Total;
  readonly toReady: Account;
  /** Until 2.5 s after ready. */
  readonly toSettled: Account;
  /** By the clock, from the script element on. */
  readonly readyAfterMs: number;
  /** Of a first visit: how often the page's thread was woken in the 10 s after it had settled. */
  readonly wakeUps?: number;
  /** Of a visit of its own. */
  readonly memory?: Memory;
  /** Of a visit of its own: processor time of the page's thread for each of 1,000 calls of `track()`, in µs. */
  readonly trackUs?: number;
}

const patienceMs = 60_000;

/** The visits of one fresh profile: the first, a later one, one for its memory, and one for calls where it has any. */
export const measureQuietly = async (server: BenchServer, candidate: Candidate): Promise<readonly QuietVisit[]> => {
  const profile = mkdtempSync(join(tmpdir(), 'bench-page-'));
  try {
    const visitFor = (purpose: Purpose): Promise<QuietVisit> =>
      visit(server, candidate, join(profile, purpose === 'memory' ? 'memory' : 'times'), purpose);
    const first = await visitFor('first');
    const later = await visitFor('later');
    const memory = await visitFor('memory');
    const calls = candidate.track === undefined ? undefined : await visitFor('calls');
    // Of the visits with a purpose of their own, only the figures count that a first visit has not.
    return [{ ...memory, ...calls, ...first }, later];
  } finally {
    // Processes of the browser write a little longer than the browser runs.
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
};

/**
 * Starts the browser with nothing but the page's address, and reads the kernel's account whenever the page says where
 * it is. The page says so by requests, which cost every candidate the same. Chromium without windows has one renderer,
 * but does not measure memory; the full browser does, and has renderers for its own windows too.
 */
const visit = async (
  server: BenchServer,
  candidate: Candidate,
  profile: string,
  purpose: Purpose,
): Promise<QuietVisit> => {
  server.takeLoaded();
  const browser = spawn(
    purpose === 'memory' ? chromiumPath() : headlessPath(),
    [
      ...quiet,
      '--headless=new',
      '--window-size=1200,900',
      `--user-data-dir=${profile}`,
      // The measurement of memory otherwise waits for the browser's next garbage collection, a minute or more.
      '--enable-blink-features=ForceEagerMeasureMemory',
      `${server.origin}/quiet/${encodeURIComponent(candidate.name)}?for=${purpose}`,
    ],
    // In a group of its own: the command may be a script that starts the browser, and must not outlive it.
    { stdio: 'ignore', detached: true },
  );
  try {
    const told = await moments(server, `${candidate.name}, ${purpose}`, () => accountOf(browser.pid ?? 0));
    return visitOf(candidate.name, purpose === 'first', server.takeLoaded(), told);
  } finally {
    await endGroup(browser.pid);
  }
};

/** Asks all processes of a group to end, and waits until they have: the next visit needs the profile. */
const endGroup = async (leader: number | undefined): Promise<void> => {
  if (leader === undefined) return;
  let signal: NodeJS.Signals | 0 = 'SIGTERM';
  try {
    for (;;) {
      process.kill(-leader, signal);
      signal = 0;
      await pause(50);
    }
  } catch {
    // There is no process left in the group.
  }
};

interface Told {
  readonly account: Account;
  readonly data: unknown;
}
type ToldMoments = ReadonlyMap<Moment, Told>;

/** The moments of one visit, each with the account at that moment. */
const moments = (server: BenchServer, what: string, account: () => Account): Promise<ToldMoments> =>
  new Promise((resolve, reject) => {
    const told = new Map<Moment, Told>();
    const timer = setTimeout(
      () => reject(new Error(`${what}: waited in vain, after ${[...told.keys()].join(', ')}`)),
      patienceMs,
    );
    server.listenTo((moment, data) => {
      told.set(moment, { account: account(), data });
      if (moment !== 'done') return;
      clearTimeout(timer);
      resolve(told);
    });
  });

const visitOf = (candidate: string, isFirst: boolean, loaded: Total, told: ToldMoments): QuietVisit => {
  const at = (moment: Moment): Told => {
    const found = told.get(moment);
    if (found === undefined) throw new Error(`${candidate}: the page did not tell «${moment}»`);
    return found;
  };
  const since = (from: Moment, to: Moment): Account => between(at(from).account, at(to).account);
  return {
    candidate,
    isFirst,
    loaded,
    toReady: since('begun', 'ready'),
    toSettled: since('begun', 'settled'),
    readyAfterMs: Number(at('ready').data),
    ...(told.has('idle') && { wakeUps: since('settled', 'idle').wakeUps }),
    ...(told.has('measured') && { memory: at('measured').data as Memory }),
    // ms for 1,000 calls are µs for one.
    ...(told.has('called') && { trackUs: since('calls', 'called').mainMs }),
  };
};
