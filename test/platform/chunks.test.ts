import { loadOnce } from '../../src/platform/chunks';

const failureOf = (loading: Promise<void>): Promise<unknown> =>
  loading.then(
    () => undefined,
    (cause: unknown) => cause,
  );

describe('loadOnce', () => {
  it('loads a chunk once', async () => {
    const load = jest.fn(() => Promise.resolve());
    const loader = loadOnce(load);
    await Promise.all([loader('a'), loader('a'), loader('b')]);
    await loader('a');
    expect(load.mock.calls).toEqual([['a'], ['b']]);
  });

  it('asks again for a chunk that has failed', async () => {
    let isDown = true;
    const loader = loadOnce(() => (isDown ? Promise.reject(new Error('down')) : Promise.resolve()));
    expect(await failureOf(loader('a'))).toEqual(new Error('down'));
    isDown = false;
    expect(await failureOf(loader('a'))).toBeUndefined();
  });

  it('fails with one error for each chunk, by which its reports are known to be one', async () => {
    const loader = loadOnce((name) => Promise.reject(new Error(name)));
    const [first, second, other] = [
      await failureOf(loader('a')),
      await failureOf(loader('a')),
      await failureOf(loader('b')),
    ];
    expect(second).toBe(first);
    expect(other).toEqual(new Error('b'));
  });
});
