import type { Browser, BrowserContext, CDPSession } from 'playwright-core';

import type { Total } from '../../bundle/visitFiles';
import type { Candidate } from './candidates';
import { scheduling, waitedShare } from './noise';
import { type BenchServer, scriptUrl } from './server';
import { newContext, openTab, pause, type Tab } from './tab';
import { compileCategories, compileMs, isTask, readThread, readVisit, traceCategories, type VisitTrace } from './trace';

/** One visit of a page with one candidate. */
export interface Visit extends Omit<VisitTrace, 'pid'> {
  readonly candidate: string;
  /** The first visit of a browser without stored data, or a later one. */
  readonly isFirst: boolean;
  readonly loaded: Total;
  /** Bytes of live objects, over the page without the script. */
  readonly heapBytes: number;
  /** Of a first visit: what V8 took to parse and compile on the page's thread. */
  readonly compileMs?: number;
  /** Of a first visit: the longest wait of a click for the page's own handler while the script starts. */
  readonly clickMs?: number;
  /** Of a first visit: µs of one call of `track`, and of all that the page's thread does for it. */
  readonly trackCallUs?: number;
  readonly trackAllUs?: number;
}

const settledMs = 2500;
/** Of its time, a renderer may have waited so much for a processor; else the visits are repeated. */
const mostWaiting = 0.08;
const mostRepeats = 5;
const trackCount = 1000;
const clickEveryMs = 40;

/** The visits of one fresh profile. They are repeated while the machine is too busy; the quietest ones count. */
export const measureVisits = async (
  browser: Browser,
  server: BenchServer,
  candidate: Candidate,
  rate: number,
): Promise<readonly Visit[]> => {
  const inFreshContext = async <A>(measure: (visiting: Visiting) => Promise<A>): Promise<A> => {
    const context = await newContext(browser);
    try {
      return await measure({ browser, context, server, candidate, rate });
    } finally {
      await context.close();
    }
  };
  let best = await inFreshContext(measurePair);
  for (let repeats = 0; best.waiting > mostWaiting && repeats < mostRepeats; repeats += 1) {
    const next = await inFreshContext(measurePair);
    if (next.waiting < best.waiting) best = next;
  }
  if (best.waiting > mostWaiting)
    console.error(`${candidate.name}: the renderer waited ${(best.waiting * 100).toFixed(0)} % of its time`);
  return [{ ...best.first, ...(await inFreshContext(measureCalls)) }, best.later];
};

const measurePair = async (visiting: Visiting) => {
  const first = await measureVisit(visiting);
  await first.tab.leave();
  const compiled = await measureCompiling(visiting);
  const later = await measureVisit(visiting);
  return {
    waiting: Math.max(first.waiting, later.waiting),
    first: { ...first.visit, isFirst: true, compileMs: compiled },
    later: { ...later.visit, isFirst: false },
  };
};

/** One candidate in the browser of one visitor. */
export interface Visiting {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly server: BenchServer;
  readonly candidate: Candidate;
  readonly rate: number;
}

const measureVisit = async ({ browser, context, server, candidate, rate }: Visiting) => {
  const tab = await openTab(context, server.origin, candidate);
  const heapBefore = await heapOf(tab.session);
  server.takeLoaded();
  await tab.throttle(rate);
  const before = await scheduling(browser);
  await browser.startTracing(tab.page, { categories: traceCategories });
  await tab.start();
  await pause(settledMs);
  const { pid, ...trace } = readVisit(await browser.stopTracing(), scriptUrl(server.origin, candidate), settledMs);
  const waiting = waitedShare(before, await scheduling(browser), pid);
  const loaded = server.takeLoaded();
  await tab.throttle(1);
  const heapBytes = (await heapOf(tab.session)) - heapBefore;
  return { tab, visit: { ...trace, candidate: candidate.name, loaded, heapBytes }, waiting };
};

/**
 * Compiling is measured in a visit of its own, the second, because the trace for it is expensive. The browser keeps
 * compiled code only from then on, so it compiles as much as at the first.
 */
export const measureCompiling = async ({ browser, context, server, candidate, rate }: Visiting): Promise<number> => {
  const tab = await openTab(context, server.origin, candidate);
  await tab.throttle(rate);
  await browser.startTracing(tab.page, { categories: compileCategories });
  await tab.start();
  await pause(settledMs);
  const ms = compileMs(await browser.stopTracing());
  await tab.leave();
  return ms;
};

const heapOf = async (session: CDPSession): Promise<number> => {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
};

/**
 * The longest wait of a click, and the cost of calls. A visit of its own, because clicks are work for those who listen,
 * and the events would be a burden to further visits.
 */
const measureCalls = async ({ browser, context, server, candidate, rate }: Visiting) => {
  const tab = await openTab(context, server.origin, candidate);
  await tab.throttle(rate);
  const clickMs = await longestClick(tab);
  await pause(settledMs);
  return { clickMs, ...(candidate.track === undefined ? {} : await trackCost(browser, tab, candidate.track)) };
};

/**
 * The longest wait of a click for the page's handler, from before the script element until shortly after ready. Clicks
 * are sent whether or not earlier ones were answered.
 */
const longestClick = async ({ session, evaluate, start }: Tab): Promise<number> => {
  const sent: Promise<unknown>[] = [];
  const clicking = setInterval(() => {
    for (const type of ['mousePressed', 'mouseReleased'] as const)
      sent.push(session.send('Input.dispatchMouseEvent', { type, x: 10, y: 300, button: 'left', clickCount: 1 }));
  }, clickEveryMs);
  try {
    await pause(clickEveryMs * 3);
    await evaluate('bench.latencies.length = 0');
    await start();
    await pause(clickEveryMs * 10);
  } finally {
    clearInterval(clicking);
  }
  await Promise.all(sent);
  return Number(await evaluate('Math.max.apply(Math, bench.latencies)'));
};

/** What a thousand calls cost: the calls, and all tasks of the page's thread until it is quiet. */
const trackCost = async (browser: Browser, { page, evaluate }: Tab, call: string) => {
  await browser.startTracing(page, { categories: traceCategories });
  await evaluate(
    `(function () { bench.mark('calls'); for (var i = 0; i < ${trackCount}; i++) { ${call}; } bench.mark('called'); })()`,
  );
  await pause(settledMs * 2);
  const { marks, spent } = readThread(await browser.stopTracing(), 'calls');
  const perCall = (untilMs: number): number => (spent(isTask, untilMs) * 1000) / trackCount;
  return { trackCallUs: perCall(marks['called'] ?? NaN), trackAllUs: perCall(Infinity) };
};
