import { asyncScheduler, NEVER } from 'rxjs';

import { appearances } from '../../../src/operators/creators/appearances';
import type { Listen } from '../../../src/platform/platform';
import { marble } from '../../support/marbles';

const quiet: Listen = () => NEVER;
/** What is on the page from that time on. */
const from =
  (ms: number): (() => string | undefined) =>
  () =>
    asyncScheduler.now() >= ms ? 'f' : undefined;
const never = (): undefined => undefined;

describe('appearances', () => {
  marble('finds what is there at once, and looks no more', ({ expectObservable, flush }) => {
    const read = jest.fn(() => 'f');
    expectObservable(appearances(quiet)(read, 1000)).toBe('(f|)');
    flush();
    expect(read).toHaveBeenCalledTimes(1);
  });

  marble('looks after 50, 100, 200, 500, 1,000 … 100,000 ms', ({ expectObservable, flush }) => {
    const times: number[] = [];
    expectObservable(
      appearances(quiet)(() => void times.push(asyncScheduler.now()), Infinity),
      '^ 300s !',
    ).toBe('-');
    flush();
    expect(times).toEqual([0, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]);
  });

  for (const ms of [0, 1000, 2000, 5000, 10_000])
    marble(`says after ${ms} ms, and once, that it is missing`, ({ expectObservable }) => {
      expectObservable(appearances(quiet)(never, ms), '^ 300s !').toBe(ms === 0 ? 'u' : `${ms}ms u`, { u: undefined });
    });

  marble('finds what comes after it was missing, and ends', ({ expectObservable }) => {
    expectObservable(appearances(quiet)(from(1001), 1000)).toBe('1s u 999ms (f|)', { u: undefined, f: 'f' });
  });

  marble('looks when something has loaded, and when the document is parsed', ({ hot, expectObservable }) => {
    const loads$ = hot('  7ms l 600ms l 150s l');
    const parsed$ = hot(' 33ms p');
    const heard: string[] = [];
    const listen: Listen = (target, type) => {
      heard.push(`${target} ${type}`);
      return type === 'load' ? loads$ : parsed$;
    };
    const appears = appearances(listen);
    expectObservable(appears(from(7), 2000)).toBe('7ms (f|)');
    expectObservable(appears(from(33), 2000)).toBe('33ms (f|)');
    expectObservable(appears(from(501), 2000)).toBe('608ms (f|)');
    expectObservable(appears(from(120_000), Infinity)).toBe('150609ms (f|)');
    expect(heard).toEqual(['document load', 'document DOMContentLoaded']);
  });

  marble('is found within 50 ms by a newcomer, whose steps begin anew', ({ expectObservable }) => {
    const appears = appearances(quiet);
    expectObservable(appears(from(1230), 2000)).toBe('1250ms (f|)');
    expectObservable(appears(from(1230), 2000), '1200ms ^').toBe('1250ms (f|)');
  });

  marble('wakes the page at most 10 times in 2 s for all who wait', ({ expectObservable, flush }) => {
    const appears = appearances(quiet);
    const moments = new Set<number>();
    for (const start of [0, 3, 30, 35, 180, 300])
      expectObservable(
        appears(() => void moments.add(asyncScheduler.now()), 2000),
        `${start}ms ^ ${1999 - start}ms !`,
      ).toBe('');
    flush();
    expect([...moments].filter((ms) => ![0, 3, 30, 35, 180, 300].includes(ms)).length).toBeLessThanOrEqual(10);
  });

  marble('errors with what the reading throws', ({ expectObservable }) => {
    const broken = new Error('broken');
    expectObservable(
      appearances(quiet)(() => {
        throw broken;
      }, 1000),
    ).toBe('#', undefined, broken);
  });
});
