import type { Browser } from 'playwright-core';

import type { Table } from '../table';
import type { Candidate } from './candidates';
import { newContext, openTab, pause, type Tab } from './tab';
import { readThread, traceCategories } from './trace';

/** Something that the SDK does after its start. */
interface Scenario {
  readonly name: string;
  /** The page without our script: what the browser itself takes. */
  readonly isWithoutSdk?: boolean;
  /** Faults of the server while the page starts. */
  readonly faults?: readonly object[];
  /** What the page does before. */
  readonly before?: string;
  /** What the page does, in a task of its own. */
  readonly act: string;
  readonly withinMs: number;
  /** An expression that holds in the end, where the page itself can tell that it has happened. */
  readonly shows?: string;
}

const settledMs = 4000;
const tracks = (count: number): string => `for (var i = 0; i < ${count}; i++) permutive.track('Many', { i: i });`;
const view = (section: string): string =>
  `permutive.addon('web', { page: { article: { section: '${section}', title: document.title, keywords: ['copper'] } } });`;

const scenarios: readonly Scenario[] = [
  { name: 'page view', act: view('markets'), withinMs: 4000 },
  { name: '1,000 tracks', act: tracks(1000), withinMs: 8000 },
  { name: 'leave without the SDK', isWithoutSdk: true, act: "location.href = '/empty';", withinMs: 2000 },
  { name: 'leave', act: "location.href = '/empty';", withinMs: 2000 },
  { name: 'leave after 1,000 tracks', act: `${tracks(1000)} location.href = '/empty';`, withinMs: 4000 },
  {
    name: 'saved state, 1,000 events waiting',
    faults: [{ match: { path: 'batch/events' }, action: { status: 503 }, times: 100_000 }],
    before: `for (var i = 0; i < 1000; i++) permutive.track('Many', { text: 'x'.repeat(250) });`,
    act: "permutive.track('Another', {});",
    withinMs: 8000,
  },
  {
    name: 'model update',
    faults: [{ match: { path: 'models/v2' }, action: { delayMs: 9000 } }],
    act: '',
    withinMs: 9000,
    shows: `performance.getEntriesByType('resource').some(function (entry) { return /models.v2/.test(entry.name) && entry.responseEnd > 8000; })`,
  },
  {
    // The sample project shows one to readers of personal finance.
    name: 'overlay due',
    before: view('personal finance'),
    act: view('personal finance'),
    withinMs: 6000,
    shows: `[].some.call(document.body.children, function (child) { return child.shadowRoot !== null; })`,
  },
];

/** Plays each scenario on a page of its own. Answers the longest task of each. */
export const measureScenarios = async (
  browser: Browser,
  origin: string,
  candidate: Candidate,
  rate: number,
  api: string,
): Promise<Table> => {
  const rows: (readonly string[])[] = [];
  for (const scenario of scenarios) rows.push(await play(browser, origin, candidate, rate, api, scenario));
  return {
    title: `${candidate.name}: tasks of the page after its start, in ms, slowed down ${rate} times`,
    head: ['', 'its own', 'longest after', 'over 50 ms', 'what ran in them'],
    rows,
  };
};

const play = async (
  browser: Browser,
  origin: string,
  candidate: Candidate,
  rate: number,
  api: string,
  { name, isWithoutSdk = false, faults, before, act, withinMs, shows }: Scenario,
): Promise<readonly string[]> => {
  const context = await newContext(browser);
  try {
    if (faults !== undefined) await fetch(`${api}/faults`, { method: 'POST', body: JSON.stringify(faults) });
    const tab = await openTab(context, origin, candidate);
    if (!isWithoutSdk) await tab.start();
    if (before !== undefined) await inTask(tab, before);
    await pause(settledMs);
    await tab.throttle(rate);
    await browser.startTracing(tab.page, { categories: traceCategories });
    await inTask(tab, `performance.mark('bench:act'); ${act}`);
    await pause(withinMs);
    const { first, after, longTasks } = readThread(await browser.stopTracing(), 'act');
    const hasHappened = shows === undefined || (await tab.evaluate(shows)) === true;
    return [
      hasHappened ? name : `${name} (did not happen)`,
      first.toFixed(0),
      after.toFixed(0),
      String(longTasks.length),
      longTasks.flatMap(({ what }) => what.slice(0, 2)).join('; '),
    ];
  } finally {
    await fetch(`${api}/faults`, { method: 'DELETE' });
    await context.close();
  }
};

const inTask = ({ evaluate }: Tab, statements: string): Promise<unknown> =>
  evaluate(`(function () { ${statements} })()`);
