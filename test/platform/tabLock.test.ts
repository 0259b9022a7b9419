import { asyncScheduler, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { json } from '../../src/hardening/plainJson';
import type { Platform } from '../../src/platform/platform';
import { holdLease, holdLock } from '../../src/platform/tabLock';

const heard = (hold: Platform['hold'], name: string) => {
  const said: unknown[] = [];
  const holding = hold(name).subscribe({
    next: (isFree) => said.push(isFree),
    complete: () => said.push('done'),
    error: () => said.push('error'),
  });
  return { said, holding };
};

describe('holdLock', () => {
  /** Web Locks of one browser, as far as they are used. */
  const locksOf = () => {
    const held = new Set<string>();
    const request = async (
      name: string,
      _: unknown,
      callback: (lock: object | null) => Promise<void> | undefined,
    ): Promise<void> => {
      await Promise.resolve();
      const isFree = !held.has(name);
      if (isFree) held.add(name);
      await callback(isFree ? {} : null);
      if (isFree) held.delete(name);
    };
    return { held, request: request as LockManager['request'] };
  };
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

  it('holds a free name until it is let go', async () => {
    const { held, request } = locksOf();
    const { said, holding } = heard(holdLock(request), 'a');
    await settled();
    expect([said, [...held]]).toEqual([[true], ['a']]);
    holding.unsubscribe();
    await settled();
    expect([...held]).toEqual([]);
  });

  it('leaves a name alone that another tab holds', async () => {
    const { held, request } = locksOf();
    heard(holdLock(request), 'a');
    const [second, other] = [heard(holdLock(request), 'a'), heard(holdLock(request), 'b')];
    await settled();
    expect([second.said, other.said, [...held]]).toEqual([[false, 'done'], [true], ['a', 'b']]);
  });

  it('does not hold what was let go before it was granted', async () => {
    const { held, request } = locksOf();
    const { said, holding } = heard(holdLock(request), 'a');
    holding.unsubscribe();
    await settled();
    expect([said, [...held]]).toEqual([[], []]);
  });

  it('counts as alone where locks are refused', async () => {
    const { said } = heard(
      holdLock(() => Promise.reject(new Error('no'))),
      'a',
    );
    await settled();
    expect(said).toEqual([true]);
  });
});

describe('holdLease', () => {
  const key = 'permutive-leases';
  const world = (stored?: string) => {
    const local = memoryStorage(stored === undefined ? {} : { [key]: stored });
    const tab = () => holdLease({ local, json, now: () => 1_000_000 + asyncScheduler.now() });
    return { tab, leases: (): unknown => JSON.parse(local.read(key) ?? '{}') };
  };
  const play = (script: (at: (ms: number, act: () => void) => void) => void): void =>
    new TestScheduler(() => undefined).run(({ flush }) => {
      script((ms, act) => timer(ms).subscribe(act));
      flush();
    });

  it('holds a free name until it is let go, renews it every 5 s, and leaves nothing', () => {
    const seen: unknown[] = [];
    play((at) => {
      const { tab, leases } = world();
      const [first, second] = [heard(tab(), 'a'), heard(tab(), 'b')];
      for (const ms of [0, 4999, 5001, 60_001]) at(ms, () => seen.push([leases(), heard(tab(), 'a').said]));
      at(60_002, () => first.holding.unsubscribe());
      at(60_003, () => seen.push(leases()));
      at(60_004, () => second.holding.unsubscribe());
      at(60_005, () => seen.push(leases()));
    });
    const both = (ms: number) => [{ a: 1_015_000 + ms, b: 1_015_000 + ms }, [false, 'done']];
    expect(seen).toEqual([both(0), both(0), both(5000), both(60_000), { b: 1_075_000 }, {}]);
  });

  it.each([
    ['nothing', undefined, [true]],
    ['a lease that runs', '{"a":1015000}', [false, 'done']],
    ['a lease of another name', '{"b":1015000}', [true]],
    ['a lease that is over', '{"a":999999}', [true]],
    ['a lease of a clock that was set back since', '{"a":1015001}', [true]],
    ['no number', '{"a":"soon"}', [true]],
    ['no JSON', '{', [true]],
    ['null', 'null', [true]],
    ['a list', '[1]', [true]],
  ])('finds the name free or held where there is %s', (_, stored, expected) => {
    play(() => {
      const { said, holding } = heard(world(stored).tab(), 'a');
      expect(said).toEqual(expected);
      holding.unsubscribe();
    });
  });
});
