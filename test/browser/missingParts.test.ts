import { changeBundle, withPrelude } from './support/changedBundle';
import { hangingDatabase } from './support/hangingDatabase';
import { stageForTests } from './support/stage';
import { untilCounted } from './support/untilCounted';

/** What the warnings say where the database is not used. The journal is in local storage then. */
const noDatabase = /Local storage is used, IndexedDB failed|Events journal is not available/;
const nothing = /^$/;

describe('A browser in which', () => {
  const stage = stageForTests();

  test.each<[string, string, RegExp]>([
    [
      'there are no Web Locks, scheduler, idle callbacks and beacons',
      'delete Object.getPrototypeOf(navigator).locks; delete self.scheduler; delete self.requestIdleCallback; delete Object.getPrototypeOf(navigator).sendBeacon',
      nothing,
    ],
    [
      'Web Locks and BroadcastChannel are refused',
      'LockManager.prototype.request = () => Promise.reject(new DOMException("refused", "SecurityError")); self.BroadcastChannel = class { constructor() { throw new Error("refused"); } }',
      nothing,
    ],
    ['there is no BroadcastChannel', 'delete self.BroadcastChannel', nothing],
    ['the database never opens', hangingDatabase.atOpen, noDatabase],
    ['the database opens and does not answer', hangingDatabase.afterwards, noDatabase],
  ])('%s counts from page to page and sends all events', async (_, prelude, expected) => {
    const visitor = await stage.visitor();
    await changeBundle(visitor.page, withPrelude(prelude, '', 'worker'));
    const counts: number[] = [];
    for (const view of [1, 2]) {
      await visitor.open('/blank?permutive_debug=true');
      await visitor.ready();
      counts.push(await untilCounted(visitor, view));
    }
    expect(counts).toEqual([1, 2]);
    const arrived = await stage.untilArrived('Pageview', 2);
    expect(new Set(arrived.map((event) => event.user_id)).size).toBe(1);
    expect((await visitor.warnings()).filter((warning) => !expected.test(warning))).toEqual([]);
    expect((await visitor.warnings()).length > 0).toBe(expected === noDatabase);
  });

  test('everything was evicted, as Safari does after seven days, begins anew with the next page', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank?permutive_debug=true');
    await visitor.ready();
    const before = await visitor.ask((permutive) => permutive.user());
    await stage.untilArrived('Pageview');
    await visitor.open('/assets/icon.svg');
    await visitor.page.evaluate(async () => {
      localStorage.clear();
      for (const pair of document.cookie.split('; ')) {
        const [name = ''] = pair.split('=');
        for (const domain of ['', '; domain=localhost']) document.cookie = `${name}=; max-age=0; path=/${domain}`;
      }
      const databases = await indexedDB.databases();
      await Promise.all(
        databases.map(
          ({ name = '' }) =>
            new Promise<void>((resolve, reject) => {
              const request = indexedDB.deleteDatabase(name);
              request.onsuccess = () => resolve();
              request.onerror = () => reject(new Error(name));
            }),
        ),
      );
    });
    await visitor.open('/blank?permutive_debug=true');
    await visitor.ready();
    expect(await visitor.ask((permutive) => permutive.user())).not.toBe(before);
    expect(await untilCounted(visitor, 1)).toBe(1);
    expect(await stage.untilArrived('Pageview', 2)).toHaveLength(2);
    expect(await visitor.warnings()).toEqual([]);
  });
});
