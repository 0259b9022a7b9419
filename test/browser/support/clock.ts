import type { Page } from 'playwright-core';

import { can } from './needs';
import { pause } from './pause';
import { until } from './until';

/** Longest pause of a browser whose clock a test cannot turn. */
const longestPauseMs = 1000;

/** From the next page on, the test may turn the clock of the page. It runs by itself too. */
export const withClock = async (page: Page): Promise<void> => {
  if (can('clock')) await page.clock.install();
};

/**
 * Lets time pass on a page with such a clock: whatever its timers do until then is done. Pages without an engine have
 * no other timers. A browser whose clock cannot be turned lives through a short part of the time.
 */
export const letPass = async (page: Page, ms: number): Promise<void> => {
  if (can('clock')) await page.clock.runFor(ms);
  else await pause(Math.min(ms, longestPauseMs), 'time goes by in which nothing may happen');
};

/** Turns the clock of a page on, half a second at a time, until what is awaited has come. */
export const turnUntil = async <A>(page: Page, awaited: Promise<A>): Promise<A> => {
  let isOver = false;
  const end = (): void => void (isOver = true);
  awaited.then(end, end);
  await until(async () => {
    if (!isOver) await letPass(page, 500);
    return isOver || undefined;
  }, 'what comes in time');
  return awaited;
};
