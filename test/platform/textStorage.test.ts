import { isQuotaError, textStorage } from '../../src/platform/textStorage';

/** A browser's storage, to be broken in parts. */
const browserStorage = (broken: Partial<Storage> = {}): Storage => {
  const items = new Map<string, string>();
  return Object.assign(
    {
      get length() {
        return items.size;
      },
      key: (i: number) => [...items.keys()][i] ?? null,
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, text: string) => void items.set(key, text),
      removeItem: (key: string) => void items.delete(key),
      clear: () => items.clear(),
    },
    broken,
  );
};
/** A browser's error; jest's own realm has another DOMException. */
const errorNamed = (name: string): Error => Object.assign(new Error('no'), { name });
const throwing = (name: string) => (): never => {
  throw errorNamed(name);
};
const full = throwing('QuotaExceededError');

describe('safeTextStorage', () => {
  it('is the browser’s storage', () => {
    const storage = browserStorage();
    const local = textStorage(() => storage, jest.fn());
    expect(local.read('a')).toBeNull();
    expect(local.write('a', '1')).toBeUndefined();
    expect(local.write('b', '')).toBeUndefined();
    expect([storage.getItem('a'), local.read('a'), local.read('b')]).toEqual(['1', '1', '']);
    expect(local.keys()).toEqual(['a', 'b']);
    local.remove('a');
    local.remove('unknown');
    expect([local.read('a'), local.keys()]).toEqual([null, ['b']]);
  });

  it('hears what others write there', () => {
    const storage = browserStorage();
    const local = textStorage(() => storage, jest.fn());
    local.write('a', '1');
    storage.setItem('a', '2');
    expect(local.read('a')).toBe('2');
  });

  it.each<readonly [string, () => Storage]>([
    ['none', () => null as unknown as Storage],
    ['undefined', () => undefined as unknown as Storage],
    ['one whose access throws', throwing('SecurityError')],
    ['one whose reading throws', () => browserStorage({ getItem: throwing('SecurityError') })],
  ])('keeps values in memory where the browser has %s, and says so once', (_, open) => {
    const onUnavailable = jest.fn();
    const local = textStorage(open, onUnavailable);
    expect(local.read('a')).toBeNull();
    expect(local.write('a', '1')).toBe('unavailable');
    expect(local.write('b', '2')).toBe('unavailable');
    expect([local.read('a'), local.keys()]).toEqual(['1', ['a', 'b']]);
    local.remove('a');
    expect([local.read('a'), local.keys()]).toEqual([null, ['b']]);
    expect(onUnavailable).toHaveBeenCalledTimes(1);
    expect(onUnavailable).toHaveBeenCalledWith(expect.any(String));
  });

  it('says that a full storage is full, and keeps the value in memory', () => {
    const local = textStorage(() => browserStorage({ setItem: full }), jest.fn());
    expect(local.write('a', '1')).toBe('quota');
    expect([local.read('a'), local.keys()]).toEqual(['1', ['a']]);
  });

  it('says nothing of a quota where another error comes', () => {
    expect(textStorage(() => browserStorage({ setItem: throwing('SecurityError') }), jest.fn()).write('a', '1')).toBe(
      'unavailable',
    );
  });

  it('reads the newer value of one that fitted once', () => {
    const storage = browserStorage();
    const local = textStorage(() => storage, jest.fn());
    local.write('a', 'old');
    storage.setItem = full;
    expect(local.write('a', 'new')).toBe('quota');
    expect([local.read('a'), local.keys()]).toEqual(['new', ['a']]);
  });

  it('stores again once there is room', () => {
    const storage = browserStorage();
    const setItem = storage.setItem.bind(storage);
    const local = textStorage(() => storage, jest.fn());
    storage.setItem = full;
    local.write('a', '1');
    storage.setItem = setItem;
    expect(local.write('a', '2')).toBeUndefined();
    expect([storage.getItem('a'), local.read('a')]).toEqual(['2', '2']);
  });

  it('never throws, whatever breaks later', () => {
    const storage = browserStorage();
    const local = textStorage(() => storage, jest.fn());
    Object.assign(storage, { getItem: full, setItem: full, removeItem: full, key: full });
    storage.clear();
    expect(() => {
      local.read('a');
      local.write('a', '1');
      local.remove('a');
      local.keys();
    }).not.toThrow();
  });
});

describe('isQuotaError', () => {
  it.each([
    [errorNamed('QuotaExceededError'), true],
    [errorNamed('NS_ERROR_DOM_QUOTA_REACHED'), true],
    [errorNamed('SecurityError'), false],
    [new Error('QuotaExceededError'), false],
    ['QuotaExceededError', false],
    [null, false],
  ])('%p: %p', (error, expected) => {
    expect(isQuotaError(error)).toBe(expected);
  });
});
