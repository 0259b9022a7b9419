import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';

import { partAt } from '../../bundle/fileNames';
import { visitFiles } from '../../bundle/visitFiles';
import { checkStart } from '../support/checkStart';
import { heapLimit, startLimits } from '../support/startLimits';
import { needs } from './support/needs';
import { stageForTests } from './support/stage';
import { type Watched, watchStart } from './support/startWatch';

const visits = 3;
/** The page has settled once it has asked nothing for so long: nothing tells its last timer from the one before. */
const quietMs = 2000;

describe('The start of a first visit', () => {
  const stage = stageForTests();

  /** Counts of one visit, from the script element until the page has settled. */
  const counted = async (): Promise<Watched> => {
    const visitor = await stage.visitor();
    const scripts: string[] = [];
    visitor.page.on('request', (request) => {
      const url = request.url();
      if (url.startsWith(stage.demo.cdn) && !url.includes('worker')) scripts.push(url);
    });
    const watched = await watchStart(visitor.page);
    await visitor.open('/blank');
    await stage.untilArrived('SegmentEntry');
    await stage.untilQuiet(quietMs);
    // The budget of a first visit counts these.
    expect(visitor.asked.flatMap((url) => partAt(url) ?? []).sort()).toEqual([...visitFiles.first.parts].sort());
    const bytes = scripts.map((url) => statSync(resolve(__dirname, '../../dist', basename(url))).size);
    const kB = (sizes: readonly number[]): number => Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1000);
    const counts = await watched();
    await stage.endVisits();
    return {
      ...counts,
      'scripts of the page': [1, scripts.length],
      'kB of script': [kB(bytes.slice(0, 1)), kB(bytes)],
    };
  };

  test('costs no more operations than it did', async () => {
    const all: Watched[] = [];
    for (let i = 0; i < visits; i += 1) all.push(await counted());
    // What a busy machine adds, such as another poll, is not in each of them.
    const least = (what: string, i: 0 | 1): number => Math.min(...all.map((counts) => counts[what]?.[i] ?? 0));
    const names = Object.keys(startLimits).filter((what) => what !== 'subscriptions');
    const unknown = all.flatMap((counts) => Object.keys(counts)).filter((what) => !names.includes(what));
    expect(unknown).toEqual([]);
    checkStart('page', Object.fromEntries(names.map((what) => [what, [least(what, 0), least(what, 1)]])));
  });

  needs('cdp')('keeps no more in the memory of the page than it did', async () => {
    /** What a page has in its heap after a garbage collection, in kB. */
    const heapOf = async (path: string): Promise<number> => {
      const visitor = await stage.visitor();
      await visitor.open(path);
      if (path !== '/empty') await stage.untilArrived('SegmentEntry');
      await stage.untilQuiet(quietMs);
      const session = await visitor.context.newCDPSession(visitor.page);
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return Math.round(usedSize / 1000);
    };
    const without = await heapOf('/empty');
    const all: number[] = [];
    for (let i = 0; i < visits; i += 1) {
      all.push((await heapOf('/blank')) - without);
      await stage.endVisits();
    }
    // As above, a busy machine adds some.
    const kB = Math.min(...all);
    expect(kB).toBeLessThanOrEqual(heapLimit);
    // The engine of an SDK that has not started would take less.
    expect(kB).toBeGreaterThan(heapLimit / 2);
  });
});
