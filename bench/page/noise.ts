import type { Browser } from 'playwright-core';

import { schedulingOf } from './kernel';

/** Processor time of the renderers' main threads, and what they waited for one, in ns, by process. */
export type Scheduling = ReadonlyMap<number, ReturnType<typeof schedulingOf>>;

/** Reads what the system has noted so far (Linux). */
export const scheduling = async (browser: Browser): Promise<Scheduling> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => [id, schedulingOf(id)]));
};

/** The share of its time for which a process's main thread has waited for a processor. */
export const waitedShare = (before: Scheduling, after: Scheduling, pid: number): number => {
  const [from, to] = [before.get(pid), after.get(pid)];
  if (from === undefined || to === undefined) return 0;
  const [ran, waited] = [to.ran - from.ran, to.waited - from.waited];
  return waited / Math.max(1, ran + waited);
};
