import * as fc from 'fast-check';
import { type Batch, type UploadQueue, uploadQueue } from '../../src/model/uploadQueue';
import { queuedOf } from '../support/events';
import { law } from '../support/laws';

const limit = 512 * 1024;
const add = (queue: UploadQueue, id: string, bytes = 10, flags = {}): void => queue.add({ event: queuedOf(id, flags), bytes });
const queueOf = (...items: readonly (readonly [id: string, bytes?: number, flags?: object])[]): UploadQueue => {
  const queue = uploadQueue();
  for (const item of items) add(queue, ...item);
  return queue;
};
const idsOf = (batch: Batch | undefined): string => batch?.events.map(({ id }) => id).join('') ?? 'none';
/** Bytes of the request: brackets and commas too. */
const bodyBytes = (sizes: readonly number[]): number => 2 + sizes.reduce((sum, bytes) => sum + bytes, 0) + Math.max(0, sizes.length - 1);

describe('uploadQueue', () => {
  it('has nothing at first', () => {
    expect(uploadQueue().take()).toBeUndefined();
  });

  it('gives what waits, oldest first, once', () => {
    const queue = queueOf(['a'], ['b'], ['c']);
    expect(idsOf(queue.take())).toBe('abc');
    expect(queue.take()).toBeUndefined();
  });

  it.each([
    [99, [99]],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])('gives 100 events at most: %i', (count, sizes) => {
    const queue = queueOf(...Array.from({ length: count }, (_, i) => [`e${i}`] as const));
    const batches = sizes.map(() => queue.take()?.events.length);
    expect([batches, queue.take()]).toEqual([sizes, undefined]);
  });

  it('gives 512 KiB at most', () => {
    const half = limit / 2;
    // Together, with brackets and comma: one byte below the limit, and one above.
    expect(bodyBytes([half, half - 4])).toBe(limit - 1);
    expect(idsOf(queueOf(['a', half], ['b', half - 4]).take())).toBe('ab');
    expect(bodyBytes([half, half - 2])).toBe(limit + 1);
    expect(idsOf(queueOf(['a', half], ['b', half - 2]).take())).toBe('a');
  });

  it('gives the next one later where it did not fit', () => {
    const queue = queueOf(['a', limit - 100], ['b', 200], ['c', 10]);
    expect([idsOf(queue.take()), idsOf(queue.take())]).toEqual(['a', 'bc']);
  });

  it('lets one travel alone that is too large for any batch', () => {
    const queue = queueOf(['a', limit + 1], ['b']);
    expect([idsOf(queue.take()), idsOf(queue.take())]).toEqual(['a', 'b']);
  });

  it('keeps within a smaller limit, where one that is too large stays', () => {
    const queue = queueOf(['a', 600], ['b', 600]);
    expect(idsOf(queue.take(500))).toBe('none');
    expect(idsOf(queue.take(700))).toBe('a');
    expect(idsOf(queue.take(0))).toBe('none');
    expect(idsOf(queue.take())).toBe('b');
  });

  it('says how many bytes a batch has, and no fewer', () => {
    const bytes = queueOf(['a', 10], ['b', 20]).take()?.bytes ?? 0;
    expect(bytes).toBeGreaterThanOrEqual(bodyBytes([10, 20]));
    expect(bytes).toBeLessThanOrEqual(bodyBytes([10, 20]) + 2);
  });

  it('keeps events apart that are treated differently, and their order within', () => {
    const queue = queueOf(['a'], ['b', 10, { requiresEnrichment: true }], ['c', 10, { sdkProcessed: false }], ['d', 10, { requiresEnrichment: false, sdkProcessed: true }], ['e', 10, { requiresEnrichment: true }]);
    const batches = [queue.take(), queue.take(), queue.take()];
    expect(batches.map(idsOf)).toEqual(['ad', 'be', 'c']);
    expect(batches.map((batch) => [batch?.enrich, batch?.sdkProcessed])).toEqual([[false, true], [true, true], [false, false]]);
  });

  it('does not give an event twice that was added twice', () => {
    const queue = queueOf(['a'], ['a']);
    expect(idsOf(queue.take())).toBe('a');
    add(queue, 'a');
    expect(idsOf(queue.take())).toBe('none');
  });

  it('gives again what was given back', () => {
    const queue = queueOf(['a'], ['b']);
    const batch = queue.take()!;
    add(queue, 'c');
    queue.giveBack(batch);
    expect(queue.take()?.events.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
  });

  it('forgets what is settled, sent or not', () => {
    const queue = queueOf(['a'], ['b'], ['c']);
    queue.settle('b');
    const batch = queue.take()!;
    expect(idsOf(batch)).toBe('ac');
    queue.settle('a');
    queue.giveBack(batch);
    expect(idsOf(queue.take())).toBe('c');
    queue.settle('z');
  });

  it('takes an event again after it was settled', () => {
    const queue = queueOf(['a']);
    queue.take();
    queue.settle('a');
    add(queue, 'a');
    expect(idsOf(queue.take())).toBe('a');
  });

  const anyItem = fc.record({ bytes: fc.integer({ min: 1, max: 200_000 }), requiresEnrichment: fc.boolean(), sdkProcessed: fc.boolean() });

  it('gives each event exactly once, in lawful batches', law(fc.array(anyItem, { maxLength: 250 }), (items) => {
    const queue = uploadQueue();
    items.forEach(({ bytes, ...flags }, i) => add(queue, `${i}`, bytes, flags));
    const given: string[] = [];
    for (let batch = queue.take(); batch !== undefined; batch = queue.take()) {
      const ids = batch.events.map(({ id }) => id);
      expect(ids.length).toBeLessThanOrEqual(100);
      expect(bodyBytes(ids.map((id) => items[Number(id)]!.bytes))).toBeLessThanOrEqual(limit);
      expect(ids.map(Number)).toEqual(ids.map(Number).sort((a, b) => a - b));
      for (const id of ids) expect(items[Number(id)]).toMatchObject({ requiresEnrichment: batch.enrich, sdkProcessed: batch.sdkProcessed });
      given.push(...ids);
    }
    expect(given.sort()).toEqual(items.map((_, i) => `${i}`).sort());
  }));
});
