import { zonesOf } from '../../src/api/zones';

/** A stand-in of zone.js: the names of the zones in which something runs now, the innermost last. */
const zoneJs = () => {
  const inside: string[] = ['root'];
  const zone = (name: string) => ({
    name,
    run: <Result>(action: () => Result): Result => {
      inside.push(name);
      try {
        return action();
      } finally {
        inside.pop();
      }
    },
  });
  const [root, application] = [zone('root'), zone('application')];
  const Zone = {
    root,
    get current() {
      return inside.at(-1) === 'application' ? application : root;
    },
  };
  return { application, now: () => inside.at(-1), global: (name: string) => (name === 'Zone' ? Zone : undefined) };
};

describe('zones of a page', () => {
  test('are left by an action, which answers as it is', () => {
    const { application, now, global } = zoneJs();
    expect(application.run(() => zonesOf({ global }).outside(now))).toBe('root');
    expect(zonesOf({ global }).outside(() => null)).toBeNull();
  });

  test('are left by the methods of an addon; its other members stay', () => {
    const { application, now, global } = zoneJs();
    const { where, list } = zonesOf({ global }).methodsOutside({ where: () => now(), list: [1] }) as {
      readonly where: () => string;
      readonly list: readonly number[];
    };
    expect(application.run(where)).toBe('root');
    expect(list).toEqual([1]);
  });

  test('are those of the callbacks that were given in them, with all that these are given', () => {
    const { application, now, global } = zoneJs();
    const { outside, returning } = zonesOf({ global });
    const callback = application.run(() => returning((...given: readonly unknown[]) => [now(), ...given])) as (
      ...given: readonly unknown[]
    ) => unknown;
    expect(outside(() => callback(1, 'two'))).toEqual(['application', 1, 'two']);
    expect(returning('text')).toBe('text');
  });

  test.each([
    ['there is none', undefined],
    ['an element has that name', { id: 'Zone' }],
    ['it has no zones', { root: null, current: {} }],
  ])('change nothing where %s', (_, found) => {
    const { outside, returning } = zonesOf({ global: () => found });
    const callback = (): number => 1;
    expect(outside(callback)).toBe(1);
    expect(returning(callback)).toBe(callback);
  });
});
