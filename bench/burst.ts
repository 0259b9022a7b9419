// npm run bench:burst -- [--profile FILE]
// How long a page that tracks 10,000 events in one task is blocked, with the built bundle: by the calls themselves, by
// the whole task with the journal's records at its end, and by the tasks of more than 50 ms that follow. Then what a
// task with one event costs in the same way. Times depend on the machine, so the same calls are measured without the
// SDK's work (`none`) too.
import { writeFileSync } from 'node:fs';

import { startDemo } from '../demo/servers';
import { launchChromium } from '../test/browser/support/chromium';
import { newVisitor } from '../test/browser/support/visitor';
import { median } from './measure';
import { printTable } from './table';

const events = 10_000;
const rounds = 5;
const profileFile = process.argv[process.argv.indexOf('--profile') + 1];
const profiles = process.argv.includes('--profile') && profileFile !== undefined;

/** Times in ms. `single` is a task with one event, `call` its call alone. */
interface Burst {
  readonly none: number;
  readonly calls: number;
  readonly task: number;
  readonly call: number;
  readonly single: number;
  readonly tasks: readonly number[];
}

const demo = await startDemo({ site: 0, cdn: 0, api: 0 }, { metricsSamplingPercentage: 0 });
const browser = await launchChromium();
try {
  const bursts: Burst[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const visitor = await newVisitor(browser, demo.site);
    await visitor.open('/blank');
    await visitor.ready('realtime');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const session = await visitor.context.newCDPSession(visitor.page);
    if (profiles) {
      await session.send('Profiler.enable');
      await session.send('Profiler.start');
    }
    // tsx names functions by a helper of this name, which the page does not have.
    await visitor.page.evaluate('window.__name = (named) => named');
    const burst = await visitor.ask(async (permutive, count): Promise<Burst> => {
      type Track = (name: string, properties: object) => unknown;
      const tasks: number[] = [];
      new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))),
      ).observe({ type: 'longtask' });
      const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
      /** Time of so many calls, and time until the next task begins. */
      const timed = (track: Track, times: number): Promise<readonly [calls: number, task: number]> =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          const from = performance.now();
          port1.onmessage = () => resolve([calls, performance.now() - from]);
          port2.postMessage(null);
          for (let i = 0; i < times; i += 1) void track('Many', { i });
          const calls = performance.now() - from;
        });
      const none: Track = (name, properties) => Promise.resolve({ name, properties });
      const singles = async (track: Track): Promise<readonly [call: number, task: number]> => {
        const times: (readonly [number, number])[] = [];
        for (let i = 0; i < 200; i += 1) {
          times.push(await timed(track, 1));
          await sleep(10);
        }
        const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[100] ?? 0;
        return [middle(times.map(([call]) => call)), middle(times.map(([, task]) => task))];
      };
      await sleep(100);
      const [noCalls] = await timed(none, count);
      await sleep(100);
      const [calls, task] = await timed(permutive.track, count);
      await sleep(8000);
      const [, noTask] = await singles(none);
      const [call, single] = await singles((_, properties) => permutive.track('Single', properties));
      return { none: noCalls, calls, task, call, single: single - noTask, tasks };
    }, events);
    if (profiles) writeFileSync(profileFile, JSON.stringify((await session.send('Profiler.stop')).profile));
    const { events: arrived } = (await (await fetch(`${demo.api}/good?name=Many`)).json()) as {
      readonly events: readonly unknown[];
    };
    if (arrived.length !== events) throw new Error(`${arrived.length} events arrived`);
    await fetch(`${demo.api}/reset`, { method: 'POST' });
    bursts.push(burst);
    console.log(JSON.stringify(burst));
    await visitor.context.close();
    if (profiles) break;
  }
  const row = (title: string, timeOf: (burst: Burst) => number, digits = 0): readonly string[] => {
    const times = bursts.map(timeOf);
    return [title, ...[median(times), Math.max(...times)].map((time) => `${time.toFixed(digits)} ms`)];
  };
  printTable(
    `${events} events tracked in one task`,
    ['', 'median', 'worst'],
    [
      row('without the SDK', ({ none }) => none),
      row('the calls', ({ calls }) => calls),
      row('their whole task, with the journal', ({ task }) => task),
      row('the longest task after it', longestAfter),
    ],
  );
  printTable(
    'One event tracked in a task',
    ['', 'median', 'worst'],
    [row('the call', ({ call }) => call, 3), row('the whole task, with the journal', ({ single }) => single, 3)],
  );
} finally {
  await browser.close();
  await demo.close();
}

/** The first task is that of the calls. */
function longestAfter({ tasks }: Burst): number {
  return Math.max(0, ...tasks.slice(1));
}
