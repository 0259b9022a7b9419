// npm run bench:burst -- [--profile FILE]
// How long a page that tracks 10,000 events in one task is blocked, with the built bundle: by the calls themselves, and
// by the tasks of more than 50 ms that follow them. Times depend on the machine, so the same calls are measured without
// the SDK's work (`none`) too.
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

interface Burst {
  readonly none: number;
  readonly calls: number;
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
    const burst = await visitor.ask(async (permutive, count): Promise<Burst> => {
      const tasks: number[] = [];
      const times: number[] = [];
      new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))),
      ).observe({ type: 'longtask' });
      for (const track of [
        (name: string, properties: object) => Promise.resolve({ name, properties }),
        permutive.track,
      ]) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        const from = performance.now();
        for (let i = 0; i < count; i += 1) void track('Many', { i });
        times.push(performance.now() - from);
      }
      await new Promise((resolve) => setTimeout(resolve, 8000));
      const [none = 0, calls = 0] = times;
      return { none, calls, tasks };
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
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  printTable(
    `${events} events tracked in one task`,
    ['', 'median', 'worst'],
    [
      ['without the SDK', ms(median(bursts.map(({ none }) => none))), ms(Math.max(...bursts.map(({ none }) => none)))],
      ['the calls', ms(median(bursts.map(({ calls }) => calls))), ms(Math.max(...bursts.map(({ calls }) => calls)))],
      ['the longest task after them', ms(median(bursts.map(longestAfter))), ms(Math.max(...bursts.map(longestAfter)))],
    ],
  );
} finally {
  await browser.close();
  await demo.close();
}

/** The first task is that of the calls. */
function longestAfter({ tasks }: Burst): number {
  return Math.max(0, ...tasks.slice(1));
}
