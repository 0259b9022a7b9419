import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

import type { Candidate } from './candidates';
import { scriptUrl } from './server';
import { readTrace, type Trace } from './trace';

/** One visit of a page with one candidate. */
export interface Visit extends Omit<Trace, 'pid'> {
  readonly candidate: string;
  /** The first visit of a browser without stored data, or a later one. */
  readonly isFirst: boolean;
  /** Bytes of live objects, over the page without the script. */
  readonly heapBytes: number;
  /** The longest wait of a click for the page's own handler while the script starts. */
  readonly clickMs: number;
  /** µs of one call of `track`, and of all that the page's thread does for it. */
  readonly trackCallUs: number | undefined;
  readonly trackAllUs: number | undefined;
}

const settledMs = 2500;
const patienceMs = 20_000;
/** Of its time, a renderer may have waited so much for a processor; else the visit is repeated. */
const mostWaiting = 0.08;
const mostRepeats = 8;
const trackCount = 1000;
const clickEveryMs = 40;

const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing', 'v8.execute'];

/** A first and a later visit of one fresh profile, each repeated while the machine was too busy. */
export const measureVisits = async (
  browser: Browser,
  origin: string,
  candidate: Candidate,
  rate: number,
): Promise<readonly Visit[]> => {
  for (let attempt = 1; ; attempt += 1) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    await answerPeers(context);
    try {
      const first = await measureVisit(browser, context, origin, candidate, rate, true);
      const later = await measureVisit(browser, context, origin, candidate, rate, false);
      const waiting = Math.max(first.waiting, later.waiting);
      if (waiting <= mostWaiting || attempt === mostRepeats) {
        if (waiting > mostWaiting)
          console.error(`${candidate.name}: the renderer waited ${(waiting * 100).toFixed(0)} % of its time`);
        return [first.visit, later.visit];
      }
    } finally {
      await context.close();
    }
  }
};

/** Servers of the peers, which this machine plays. */
const answerPeers = (context: BrowserContext): Promise<unknown> =>
  context.route(/^https:\/\//, (route) =>
    route.fulfill({
      status: 200,
      contentType: 'application/json',
      headers: {
        'access-control-allow-origin': route.request().headers()['origin'] ?? '*',
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'content-type',
      },
      body: '{"passport":"p","success":true}',
    }),
  );

const measureVisit = async (
  browser: Browser,
  context: BrowserContext,
  origin: string,
  candidate: Candidate,
  rate: number,
  isFirst: boolean,
): Promise<{ readonly visit: Visit; readonly waiting: number }> => {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const script = scriptUrl(origin, candidate);
  await watchJournal(page);
  await page.goto(`${origin}/page/${encodeURIComponent(candidate.name)}`);
  const heapBefore = await heapOf(session);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  const before = await scheduling(browser);
  await browser.startTracing(page, { categories });
  const clicking = clicks(page);
  await page.evaluate(
    (src) => (window as unknown as { bench: { insert: (src: string) => void } }).bench.insert(src),
    script,
  );
  await page.waitForFunction('bench.isReady', undefined, { timeout: patienceMs, polling: 100 });
  await page.waitForTimeout(settledMs);
  const clickMs = await clicking();
  const { pid, ...trace } = readTrace(await browser.stopTracing(), script);
  const waiting = waitedShare(before, await scheduling(browser), pid);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const heapBytes = (await heapOf(session)) - heapBefore;
  const tracked = candidate.track === undefined ? undefined : await trackCost(page, session, candidate.track, rate);
  await page.close();
  return {
    visit: {
      ...trace,
      candidate: candidate.name,
      isFirst,
      heapBytes,
      clickMs,
      trackCallUs: tracked?.callUs,
      trackAllUs: tracked?.allUs,
    },
    waiting,
  };
};

const heapOf = async (session: CDPSession): Promise<number> => {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
};

/** Marks when a Pageview has reached our journal's disk. */
const watchJournal = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its receiver below
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (value, key) {
      if (typeof value === 'string' && value.includes('"Pageview"') && this.transaction.db.name.includes('journal')) {
        this.transaction.addEventListener('complete', () =>
          (window as unknown as { bench: { mark: (name: string) => void } }).bench.mark('durable'),
        );
      }
      return put.call(this, value, key);
    };
  });
};

/** Clicks at the page while it starts. Answers how to stop, with the longest wait of a click. */
const clicks = (page: Page): (() => Promise<number>) => {
  const over = new AbortController();
  const clicking = (async () => {
    while (!over.signal.aborted) {
      await page.mouse.click(10, 300);
      await new Promise((resolve) => setTimeout(resolve, clickEveryMs));
    }
  })();
  return async () => {
    over.abort();
    await clicking;
    return page.evaluate(() =>
      Math.max(0, ...(window as unknown as { bench: { latencies: number[] } }).bench.latencies),
    );
  };
};

/** Processor time of the renderer's main threads, and what they waited for one, in ns, by process. */
type Scheduling = ReadonlyMap<number, { readonly ran: number; readonly waited: number }>;

const scheduling = async (browser: Browser): Promise<Scheduling> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return new Map(
    processInfo
      .filter(({ type }) => type === 'renderer')
      .map(({ id }) => {
        const [ran = 0, waited = 0] = readFileSync(`/proc/${id}/task/${id}/schedstat`, 'utf8').split(' ').map(Number);
        return [id, { ran, waited }];
      }),
  );
};

const waitedShare = (before: Scheduling, after: Scheduling, pid: number): number => {
  const [from, to] = [before.get(pid), after.get(pid)];
  if (from === undefined || to === undefined) return 0;
  const [ran, waited] = [to.ran - from.ran, to.waited - from.waited];
  return waited / Math.max(1, ran + waited);
};

/** What a thousand calls cost: the calls, and all tasks of the page's thread until it is quiet. */
const trackCost = async (
  page: Page,
  session: CDPSession,
  call: string,
  rate: number,
): Promise<{ readonly callUs: number; readonly allUs: number }> => {
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  await session.send('Performance.enable');
  const taskMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const from = await taskMs();
  const callMs = await page.evaluate(
    `(function () { var from = performance.now(); for (var i = 0; i < ${trackCount}; i++) { ${call}; } return performance.now() - from; })()`,
  );
  await page.waitForTimeout(settledMs * 2);
  const allMs = (await taskMs()) - from;
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return { callUs: (Number(callMs) * 1000) / trackCount, allUs: (allMs * 1000) / trackCount };
};
