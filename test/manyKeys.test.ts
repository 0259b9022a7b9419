import { openPage } from './fuzz/support/stage';

/** More keys than an event has room for by far. */
const count = 20_000;
const keys = Array.from({ length: count }, (_, i) => `key${i}`);

/** An object with very many keys, and how often its keys have been listed and its values read. */
const manyKeys = () => {
  const counts = { lists: 0, reads: 0 };
  const object = new Proxy(Object.fromEntries(keys.map((key) => [key, 1])), {
    ownKeys: (target) => {
      counts.lists += 1;
      return Reflect.ownKeys(target);
    },
    get: (target, key, receiver) => {
      counts.reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { object, counts };
};

describe('An object of the page with very many keys', () => {
  it.each<[string, (object: object) => readonly unknown[]]>([
    ['track', (object) => ['track', 'Event', object]],
    ['track', (object) => ['track', 'Event', { inside: { deep: object } }]],
    ['track', (object) => ['track', 'Event', {}, object]],
    ['identify', (object) => ['identify', object]],
    ['identify', (object) => ['identify', [{ tag: 'own', id: 'a', more: object }]]],
    ['addon', (object) => ['addon', 'web', { page: object }]],
    ['addon', (object) => ['addon', 'web', { filterPermutiveEvent: object, watson: object }]],
    ['consent', (object) => ['consent', object]],
    ['user', (object) => ['user', object]],
    ['on', (object) => ['on', object, () => undefined]],
    ['trigger', (object) => ['trigger', object, object, () => undefined]],
  ])('given to %s is listed once at most, and read as far as there is room', (_, callOf) => {
    const page = openPage();
    const { object, counts } = manyKeys();
    const [method, ...args] = callOf(object);
    page.call(method as string, ...args);
    // Each event of a view has the properties of its page.
    page.platform.fire('document', 'mousemove');
    page.platform.setHidden(true);
    page.platform.fire('document', 'visibilitychange');
    page.platform.fire('window', 'pagehide');
    page.stop();
    expect(counts.lists).toBeLessThanOrEqual(1);
    expect(counts.reads).toBeLessThan(5000);
  });
});

describe('A list of the page with very many elements', () => {
  it.each<[string, (list: readonly unknown[]) => readonly unknown[]]>([
    ['track', (list) => ['track', 'Event', { list }]],
    ['track', (list) => ['track', list, list, list]],
    ['identify', (list) => ['identify', list]],
    ['addon', (list) => ['addon', 'web', { page: { list }, context: { title: list } }]],
    ['addon', (list) => ['addon', 'web', list]],
    ['addon', (list) => ['addon', list, list]],
    ['consent', (list) => ['consent', list]],
    ['on', (list) => ['on', list, () => undefined]],
    ['segment', (list) => ['segment', list, () => undefined]],
  ])('given to %s is read as far as there is room', (_, callOf) => {
    const page = openPage();
    let reads = 0;
    const list = new Proxy(
      Array.from({ length: count }, (_, i) => ({ tag: `tag${i}`, id: 'a' })),
      {
        get: (target, key, receiver) => {
          reads += 1;
          return Reflect.get(target, key, receiver) as unknown;
        },
      },
    );
    const [method, ...args] = callOf(list);
    page.call(method as string, ...args);
    page.platform.fire('window', 'pagehide');
    page.stop();
    expect(reads).toBeLessThan(5000);
  });
});
