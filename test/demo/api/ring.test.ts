import { ring } from '../../../demo/api/ring';

describe('ring', () => {
  it('holds so many items, the newest', () => {
    const items = ring<number>({ items: 3, bytes: Infinity });
    for (let i = 1; i <= 1000; i += 1) items.add(i, 1);
    expect(items.all()).toEqual([998, 999, 1000]);
  });

  it('holds so many bytes, and always the newest item', () => {
    const items = ring<string>({ items: 100, bytes: 10 });
    items.add('a', 4);
    items.add('b', 4);
    items.add('c', 4);
    expect(items.all()).toEqual(['b', 'c']);
    items.add('large', 50);
    expect(items.all()).toEqual(['large']);
    items.add('d', 1);
    expect(items.all()).toEqual(['d']);
  });

  it('begins anew once it is cleared', () => {
    const items = ring<number>({ items: 2, bytes: 10 });
    items.add(1, 10);
    items.clear();
    items.add(2, 5);
    items.add(3, 5);
    expect(items.all()).toEqual([2, 3]);
  });
});
