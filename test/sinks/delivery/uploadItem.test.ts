import * as fc from 'fast-check';

import { batchOf, listBytes, type UploadItem } from '../../../src/sinks/delivery/uploadItem';
import { law } from '../../support/laws';

const limit = 512 * 1024;
const plain = { enrich: false, sdkProcessed: true };
type Given = readonly [id: string, bytes?: number, flags?: object];
const itemOf = ([id, bytes = 10, flags = {}]: Given): UploadItem => ({
  id,
  name: 'Name',
  flags: { ...plain, ...flags },
  text: 'x',
  bytes,
  waits: false,
  place: null,
  isUploaded: false,
});
const idsOf = (batch: readonly UploadItem[]): string => batch.map(({ id }) => id).join('');
/** One batch after another, until none can be made. */
const batches = (items: readonly UploadItem[], limitBytes?: number): readonly (readonly UploadItem[])[] => {
  const batch = batchOf(items, undefined, limitBytes);
  return batch.length === 0
    ? []
    : [
        batch,
        ...batches(
          items.filter((item) => !batch.includes(item)),
          limitBytes,
        ),
      ];
};
const taken = (items: readonly Given[], limitBytes?: number): readonly string[] =>
  batches(items.map(itemOf), limitBytes).map(idsOf);
/** Bytes of the request: brackets and commas too. */
const bodyBytes = (sizes: readonly number[]): number =>
  2 + sizes.reduce((sum, bytes) => sum + bytes, 0) + Math.max(0, sizes.length - 1);

describe('batchOf', () => {
  it('has nothing of nothing', () => {
    expect(taken([])).toEqual([]);
  });

  it('gives what waits, oldest first, once', () => {
    expect(taken([['a'], ['b'], ['c']])).toEqual(['abc']);
  });

  it.each([
    [99, [99]],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])('gives 100 events at most: %i', (count, sizes) => {
    const items = Array.from({ length: count }, (_, i) => itemOf([`e${i}`]));
    expect(batches(items).map(({ length }) => length)).toEqual(sizes);
  });

  it('gives as many events as are allowed', () => {
    expect(idsOf(batchOf([itemOf(['a']), itemOf(['b']), itemOf(['c'])], 2))).toBe('ab');
  });

  it('gives 512 KiB at most', () => {
    const half = limit / 2;
    // Together, with brackets and comma: as much as the limit, and one byte more.
    expect(bodyBytes([half, half - 3])).toBe(limit);
    expect(
      taken([
        ['a', half],
        ['b', half - 3],
      ])[0],
    ).toBe('ab');
    expect(bodyBytes([half, half - 2])).toBe(limit + 1);
    expect(
      taken([
        ['a', half],
        ['b', half - 2],
      ])[0],
    ).toBe('a');
  });

  it('gives the next one later where it did not fit', () => {
    expect(
      taken([
        ['a', limit - 100],
        ['b', 200],
        ['c', 10],
      ]),
    ).toEqual(['a', 'bc']);
  });

  it('lets one travel alone that is too large for any batch', () => {
    expect(taken([['a', limit + 1], ['b']])).toEqual(['a', 'b']);
  });

  it('keeps within a smaller limit, where one that is too large stays', () => {
    const two: readonly Given[] = [
      ['a', 600],
      ['b', 600],
    ];
    expect([taken(two, 500), taken(two, 700), taken(two, 0)]).toEqual([[], ['a', 'b'], []]);
  });

  it('passes over what does not fit into a smaller limit', () => {
    expect(
      taken(
        [
          ['a', 600],
          ['b', 100],
          ['c', 600],
          ['d', 100],
        ],
        500,
      ),
    ).toEqual(['bd']);
  });

  it.each([[[]], [[10]], [[10, 20]], [[10, 20, 30]]])('says how many bytes a batch of %j has', (sizes) => {
    const bytes = listBytes(sizes.map((size, i) => itemOf([`${i}`, size])));
    expect(sizes.length === 0 ? 2 : bytes).toBe(bodyBytes(sizes));
  });

  it('keeps events apart that are treated differently, and their order within', () => {
    const given: readonly Given[] = [
      ['a'],
      ['b', 10, { enrich: true }],
      ['c', 10, { sdkProcessed: false }],
      ['d', 10, { enrich: false, sdkProcessed: true }],
      ['e', 10, { enrich: true }],
    ];
    expect(taken(given)).toEqual(['ad', 'be', 'c']);
    expect(batches(given.map(itemOf)).map(([first]) => [first?.flags.enrich, first?.flags.sdkProcessed])).toEqual([
      [false, true],
      [true, true],
      [false, false],
    ]);
  });

  const anyItem = fc.record({
    bytes: fc.integer({ min: 1, max: 200_000 }),
    enrich: fc.boolean(),
    sdkProcessed: fc.boolean(),
  });

  it(
    'gives each event exactly once, in lawful batches',
    law(fc.array(anyItem, { maxLength: 250 }), (items) => {
      const all = items.map(({ bytes, ...flags }, i) => itemOf([`${i}`, bytes, flags]));
      const given: string[] = [];
      for (const batch of batches(all)) {
        const ids = batch.map(({ id }) => id);
        expect(ids.length).toBeLessThanOrEqual(100);
        expect(bodyBytes(ids.map((id) => items[Number(id)]!.bytes))).toBeLessThanOrEqual(limit);
        expect(ids.map(Number)).toEqual(ids.map(Number).sort((a, b) => a - b));
        for (const id of ids) expect(items[Number(id)]).toMatchObject(batch[0]!.flags);
        given.push(...ids);
      }
      expect(given.sort()).toEqual(items.map((_, i) => `${i}`).sort());
    }),
  );
});
