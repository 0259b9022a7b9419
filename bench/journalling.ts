// npm run bench:journalling -- [--rounds N] [--throttle N]
// What it costs to write an event to the journal in the task that tracks it, with the built bundle. One page makes
// the same calls with three journals in turn, so that all three run the same compiled code: in IndexedDB, as it is; in
// local storage, because the database refuses every write; and none, because writes are confirmed without being made.
// The text of an event is made in all three, because the upload needs it too. Times are processor time of the page's
// thread, from Chromium's trace.
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';

import { startDemo } from '../demo/servers';
import { launchChromium } from '../test/browser/support/chromium';
import { newVisitor } from '../test/browser/support/visitor';
import { median } from './measure';
import { isTask, markedTasks, readThread } from './page/trace';
import { printTable } from './table';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, throttle: { type: 'string', default: '1' } },
});
const [rounds, throttle] = [Number(values.rounds), Number(values.throttle)];

/** How many events a task tracks, how many such tasks there are in a round, and how far apart they are. */
const loads = [
  { events: 1, tasks: 20, apartMs: 40 },
  { events: 100, tasks: 5, apartMs: 200 },
  { events: 1000, tasks: 2, apartMs: 1000 },
] as const;
type Load = (typeof loads)[number];
/** The last answers of the server come within this time. */
const quietMs = 1000;

const journals = ['none', 'IndexedDB', 'local storage'] as const;
type JournalName = (typeof journals)[number];

/** Replaces the transactions that write to the journal, as the variable `journal` of the page says. */
const switchable = `{
  window.journal = 'IndexedDB';
  const { transaction } = IDBDatabase.prototype;
  const store = { put() {}, delete() {} };
  IDBDatabase.prototype.transaction = function (names, mode, ...more) {
    if (window.journal === 'IndexedDB' || mode !== 'readwrite' || this.name !== 'permutive-journal')
      return transaction.call(this, names, mode, ...more);
    if (window.journal === 'local storage') throw new DOMException('no room', 'QuotaExceededError');
    return { objectStore: () => store, commit() { setTimeout(() => this.oncomplete()); } };
  };
}`;

/**
 * Runs the tasks one after the other, each with a mark. One event goes before them, for the SDK to notice how its
 * writes end. A string, so that the page knows all names in it.
 */
const tasksOf = ({ events, tasks, apartMs }: Load, journal: JournalName): string => `new Promise((resolve) => {
  let left = ${tasks};
  const task = () => {
    performance.mark('bench:task');
    for (let i = 0; i < ${events}; i += 1) void permutive.track('Many', { i, title: 'Copper futures', price: 4.5 });
    left -= 1;
    setTimeout(left > 0 ? task : resolve, left > 0 ? ${apartMs} : ${quietMs});
  };
  window.journal = '${journal}';
  void permutive.track('First', {});
  setTimeout(task, ${quietMs});
})`;

const demo = await startDemo({ site: 0, cdn: 0, api: 0 }, { metricsSamplingPercentage: 0 });
const browser = await launchChromium();

/** Processor time in µs for each event: in the tasks that track it, and of everything until it was delivered. */
interface Cost {
  readonly tasks: readonly number[];
  readonly all: number;
}
const costOf = async (page: Page, load: Load, journal: JournalName): Promise<Cost> => {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'blink.user_timing'] });
  await page.evaluate(tasksOf(load, journal));
  const trace = await browser.stopTracing();
  const tasks = markedTasks(trace, 'task');
  if (tasks.length !== load.tasks) throw new Error(`${tasks.length} tasks in the trace`);
  const all = readThread(trace, 'task').spent(isTask, Infinity);
  return {
    tasks: tasks.map((ms) => (ms * 1000) / load.events),
    all: (all * 1000) / load.events / load.tasks,
  };
};

try {
  const visitor = await newVisitor(browser, demo.site);
  await visitor.page.addInitScript(switchable);
  await visitor.open('/blank');
  await visitor.ready('realtime');
  const session = await visitor.context.newCDPSession(visitor.page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle });

  const costs = new Map<string, Cost[]>();
  const found = (load: Load, journal: JournalName): readonly Cost[] => costs.get(`${journal} ${load.events}`) ?? [];
  for (let round = -1; round < rounds; round += 1)
    for (const load of loads)
      for (const journal of journals) {
        const cost = await costOf(visitor.page, load, journal);
        // The first round lets the browser compile what runs often.
        if (round >= 0) costs.set(`${journal} ${load.events}`, [...found(load, journal), cost]);
      }

  const { events } = (await (await fetch(`${demo.api}/good?name=Many`)).json()) as {
    readonly events: readonly unknown[];
  };
  const tracked = loads.reduce((sum, { events, tasks }) => sum + events * tasks, 0) * journals.length * (rounds + 1);
  if (events.length !== tracked) throw new Error(`${events.length} of ${tracked} events arrived`);

  const print = (title: string, timeOf: (found: readonly Cost[]) => number): void =>
    printTable(
      `${title}, in µs an event`,
      ['events in a task', ...journals, 'cost of IndexedDB', 'of local storage'],
      loads.map((load) => {
        const [none, disk, local] = journals.map((journal) => timeOf(found(load, journal))) as [number, number, number];
        return [String(load.events), ...[none, disk, local, disk - none, local - none].map((µs) => µs.toFixed(1))];
      }),
    );
  print('The task that tracks', (found) => median(found.flatMap(({ tasks }) => tasks)));
  print('Everything until the last answer', (found) => median(found.map(({ all }) => all)));
} finally {
  await browser.close();
  await demo.close();
}
