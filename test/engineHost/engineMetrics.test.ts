import { engineMetrics } from '../../src/engineHost/engineMetrics';
import { drawing } from '../support/drawing';

const world = (random = drawing(1)) => {
  let time = 1000;
  const metrics = engineMetrics({ now: () => time, random });
  return { metrics, wait: (ms: number) => (time += ms) };
};

describe('metrics', () => {
  it('says how many are complete, those that were taken included', () => {
    const { metrics } = world();
    const key = metrics.start('time');
    metrics.count('number', 7);
    expect(metrics.completed()).toBe(1);
    metrics.take();
    metrics.stop(key);
    metrics.stop('unknown');
    expect(metrics.completed()).toBe(2);
  });

  it('counts, and measures in seconds; what is complete is given once', () => {
    const { metrics, wait } = world();
    const key = metrics.start('time', { step: 'save' });
    metrics.count('number', 7);
    expect(metrics.take()).toEqual([{ name: 'number', value: 7, labels: {} }]);
    wait(250);
    metrics.stop(key);
    wait(9);
    expect(metrics.take()).toEqual([{ name: 'time', value: 0.25, labels: { step: 'save' } }]);
    expect(metrics.take()).toEqual([]);
  });

  it('hands over so many at a time, the oldest first', () => {
    const { metrics } = world();
    for (const value of [1, 2, 3]) metrics.count('number', value);
    const values = (most: number): number[] => metrics.take(most).map(({ value }) => value);
    expect([values(2), values(2), values(2)]).toEqual([[1, 2], [3], []]);
  });

  it('knows timings by 24 random characters of A-Z, a-z and 0-9', () => {
    const { metrics } = world();
    const keys = Array.from({ length: 200 }, () => metrics.start('time'));
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(new Set(keys).size).toBe(200);
    expect(new Set(keys.join('')).size).toBe(62);
    expect([0, 1 - Number.EPSILON].map((random) => world(() => random).metrics.start('time')[0])).toEqual(['A', '9']);
  });

  it('keeps 10,000 and no more: the oldest go', () => {
    const { metrics } = world();
    const key = metrics.start('time');
    for (let i = 0; i < 9999; i += 1) metrics.count('number', i);
    metrics.stop(key);
    metrics.count('number', 9999);
    const taken = metrics.take();
    expect([taken.length, taken[0], taken.at(-1)?.value]).toEqual([
      10_000,
      { name: 'number', value: 0, labels: {} },
      9999,
    ]);
    // It was dropped, and nobody minds.
    metrics.stop(key);
    expect(metrics.take()).toEqual([]);
  });

  it('does not measure backwards when the clock is set', () => {
    const { metrics, wait } = world();
    const key = metrics.start('time');
    wait(-5000);
    metrics.stop(key);
    expect(metrics.take()).toMatchObject([{ value: 0 }]);
  });
});
