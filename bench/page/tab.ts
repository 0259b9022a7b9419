import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

import type { Candidate } from './candidates';
import { scriptUrl } from './server';

/** A page with a candidate. It is driven by the protocol alone: scripts of the driver would be work of the page. */
export interface Tab {
  readonly page: Page;
  readonly session: CDPSession;
  /** Runs an expression in a task of the page, and waits for its promise. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** Inserts the script element, and waits until the candidate says that it is ready. */
  readonly start: () => Promise<void>;
  readonly throttle: (rate: number) => Promise<void>;
  /** The visitor goes on to another page. */
  readonly leave: () => Promise<void>;
}

const patienceMs = 30_000;

export const newContext = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ viewport: { width: 1200, height: 900 } });

export const openTab = async (context: BrowserContext, origin: string, candidate: Candidate): Promise<Tab> => {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const evaluate: Tab['evaluate'] = async (expression) => {
    const answer = session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    const { result, exceptionDetails } = await within(answer, `${candidate.name} to answer`);
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? expression);
    return result.value as unknown;
  };
  await page.goto(`${origin}/page/${encodeURIComponent(candidate.name)}`);
  return {
    page,
    session,
    evaluate,
    start: async () => {
      await evaluate(`bench.insert(${JSON.stringify(scriptUrl(origin, candidate))}), bench.whenReady`);
    },
    throttle: async (rate) => {
      await session.send('Emulation.setCPUThrottlingRate', { rate });
    },
    leave: async () => {
      await page.goto(`${origin}/empty`);
      await page.close();
    },
  };
};

const within = <A>(answer: Promise<A>, what: string): Promise<A> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited in vain for ${what}`)), patienceMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
