import * as fc from 'fast-check';

import { type Batch, type UploadQueue, uploadQueue } from '../../../src/sinks/delivery/uploadQueue';
import { law } from '../../support/laws';

const limit = 512 * 1024;
const plain = { enrich: false, sdkProcessed: true };
const add = (queue: UploadQueue, id: string, bytes = 10, flags = {}): string =>
  queue
    .add({ id, name: 'Name', page: 'page', flags: { ...plain, ...flags }, text: 'x', bytes })
    .map((dropped) => dropped.id)
    .join('');
const queueOf = (...items: readonly (readonly [id: string, bytes?: number, flags?: object])[]): UploadQueue => {
  const queue = uploadQueue();
  for (const item of items) add(queue, ...item);
  return queue;
};
const idsOf = (batch: Batch | undefined): string => batch?.items.map(({ id }) => id).join('') ?? 'none';
/** Bytes of the request: brackets and commas too. */
const bodyBytes = (sizes: readonly number[]): number =>
  2 + sizes.reduce((sum, bytes) => sum + bytes, 0) + Math.max(0, sizes.length - 1);

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
    const batches = sizes.map(() => queue.take()?.items.length);
    expect([batches, queue.take()]).toEqual([sizes, undefined]);
  });

  it('gives 512 KiB at most', () => {
    const half = limit / 2;
    // Together, with brackets and comma: as much as the limit, and one byte more.
    expect(bodyBytes([half, half - 3])).toBe(limit);
    expect(idsOf(queueOf(['a', half], ['b', half - 3]).take())).toBe('ab');
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

  it('passes over what does not fit into a smaller limit', () => {
    expect(idsOf(queueOf(['a', 600], ['b', 100], ['c', 600], ['d', 100]).take(500))).toBe('bd');
  });

  it.each([[[]], [[10]], [[10, 20]], [[10, 20, 30]]])('says how many bytes a batch of %j has', (sizes) => {
    const queue = queueOf(...sizes.map((bytes, i) => [`${i}`, bytes] as const));
    expect(queue.take()?.bytes ?? 2).toBe(bodyBytes(sizes));
  });

  it('keeps events apart that are treated differently, and their order within', () => {
    const queue = queueOf(
      ['a'],
      ['b', 10, { enrich: true }],
      ['c', 10, { sdkProcessed: false }],
      ['d', 10, { enrich: false, sdkProcessed: true }],
      ['e', 10, { enrich: true }],
    );
    const batches = [queue.take(), queue.take(), queue.take()];
    expect(batches.map(idsOf)).toEqual(['ad', 'be', 'c']);
    expect(batches.map((batch) => [batch?.flags.enrich, batch?.flags.sdkProcessed])).toEqual([
      [false, true],
      [true, true],
      [false, false],
    ]);
  });

  it('does not give an event twice that was added twice', () => {
    const queue = queueOf(['a'], ['a']);
    expect(idsOf(queue.take())).toBe('a');
    add(queue, 'a');
    expect(idsOf(queue.take())).toBe('none');
  });

  it('gives again what was given back, first', () => {
    const queue = queueOf(['a'], ['b']);
    const batch = queue.take()!;
    add(queue, 'c');
    queue.giveBack(batch);
    expect(idsOf(queue.take())).toBe('abc');
  });

  it('forgets what is settled, sent or not', () => {
    const queue = queueOf(['a'], ['b'], ['c']);
    queue.settle('b');
    const batch = queue.take()!;
    expect(idsOf(batch)).toBe('ac');
    expect(queue.settle('a')).toBe(true);
    queue.giveBack(batch);
    expect(idsOf(queue.take())).toBe('c');
    expect([queue.settle('a'), queue.settle('z')]).toEqual([false, false]);
  });

  it('takes an event again after it was settled', () => {
    const queue = queueOf(['a']);
    queue.take();
    queue.settle('a');
    add(queue, 'a');
    expect(idsOf(queue.take())).toBe('a');
  });

  it('says what it has, and whether anything waits', () => {
    const queue = queueOf(['a'], ['b']);
    const all = (): string =>
      queue
        .all()
        .map(({ id }) => id)
        .join('');
    expect([queue.isEmpty(), all()]).toEqual([false, 'ab']);
    queue.take();
    expect([queue.isEmpty(), all()]).toEqual([true, 'ab']);
    queue.settle('a');
    expect(all()).toBe('b');
  });

  it('drops the oldest that waits when it is full, and nothing that is under way', () => {
    const queue = uploadQueue(100);
    expect([add(queue, 'a', 40), add(queue, 'b', 60), add(queue, 'c', 1)]).toEqual(['', '', 'a']);
    expect(idsOf(queue.take())).toBe('bc');
    expect([add(queue, 'd', 39), add(queue, 'e', 1), add(queue, 'f', 50)]).toEqual(['', 'd', 'ef']);
    queue.settle('b');
    expect(add(queue, 'g', 60)).toBe('');
  });

  const anyItem = fc.record({
    bytes: fc.integer({ min: 1, max: 200_000 }),
    enrich: fc.boolean(),
    sdkProcessed: fc.boolean(),
  });

  it(
    'gives each event exactly once, in lawful batches',
    law(fc.array(anyItem, { maxLength: 250 }), (items) => {
      const queue = uploadQueue();
      items.forEach(({ bytes, ...flags }, i) => add(queue, `${i}`, bytes, flags));
      const given: string[] = [];
      for (let batch = queue.take(); batch !== undefined; batch = queue.take()) {
        const ids = batch.items.map(({ id }) => id);
        expect(ids.length).toBeLessThanOrEqual(100);
        expect(bodyBytes(ids.map((id) => items[Number(id)]!.bytes))).toBeLessThanOrEqual(limit);
        expect(ids.map(Number)).toEqual(ids.map(Number).sort((a, b) => a - b));
        for (const id of ids) expect(items[Number(id)]).toMatchObject(batch.flags);
        given.push(...ids);
      }
      expect(given.sort()).toEqual(items.map((_, i) => `${i}`).sort());
    }),
  );
});
