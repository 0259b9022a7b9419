import type { Permutive } from './support/permutive';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { scriptFile, type Visitor } from './support/visitor';

/** What the page has put on its list `log`. */
const logOf = (visitor: Visitor): Promise<readonly unknown[]> => visitor.page.evaluate(() => (window as unknown as { log: unknown[] }).log);
const withLog = (visitor: Visitor): Promise<unknown> => visitor.page.addInitScript(() => Object.assign(window, { log: [] }));
describe('Calls made before the script has loaded', () => {
  const stage = stageForTests();

  /** Opens a page whose queue is what `calls` leaves there. */
  const openWith = async (calls: (permutive: Permutive) => void, path = '/blank'): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await withLog(visitor);
    const release = await visitor.hold(scriptFile);
    await visitor.open(path, 'domcontentloaded');
    await visitor.ask((permutive) => void (permutive.q.length = 0));
    await visitor.ask(calls);
    release();
    await visitor.ready();
    return visitor;
  };

  test('have identities before all else', async () => {
    const visitor = await openWith((permutive) => {
      const { log } = window as unknown as { log: string[] };
      permutive.addon('web', Object.defineProperty({}, 'told', { enumerable: true, get: () => void log.push('addon') }));
      void permutive.track('Queued');
      void permutive.identify([Object.defineProperty({ id: 'reader-4711' }, 'tag', { enumerable: true, get: () => (log.push('identify'), 'publisher_id') })]);
    });
    expect([...new Set(await logOf(visitor))]).toEqual(['identify', 'addon']);
    const [request] = await until(async () => {
      const found = await stage.requests('/identify');
      return found.length > 0 ? found : undefined;
    }, 'the request to /identify');
    expect(request).toMatchObject({ method: 'POST', path: '/v2.0/identify' });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ user_id: await visitor.ask((permutive) => permutive.user()), aliases: [{ tag: 'publisher_id', id: 'reader-4711' }] });
    expect(await stage.rejected()).toEqual([]);
  });

  test('have the addons of ad servers before page views', async () => {
    const visitor = await openWith((permutive) => {
      const { log } = window as unknown as { log: string[] };
      for (const name of ['web', 'appnexus_adserver', 'dfp']) permutive.addon(name, Object.defineProperty({}, 'told', { enumerable: true, get: () => void log.push(name) }));
    });
    expect([...new Set(await logOf(visitor))]).toEqual(['dfp', 'appnexus_adserver', 'web']);
  });
});

describe('An event of a page that is gone', () => {
  const stage = stageForTests();

  const withApiDown = async (): Promise<Visitor> => {
    const visitor = await stage.visitor({ expected: /^Failed to load resource|ERR_/ });
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await stage.untilQuiet(300);
    await stage.fault({}, { reset: true });
    return visitor;
  };
  const trackOne = (visitor: Visitor): Promise<string> => visitor.track('LastWord', { i: 1 }).then((event) => event?.id ?? '');

  test('is sent by one of the tabs that find it', async () => {
    const visitor = await withApiDown();
    const id = await trackOne(visitor);
    await visitor.page.close({ runBeforeUnload: true });
    const tabs = [await visitor.newTab(), await visitor.newTab(), await visitor.newTab()];
    await stage.clearFaults();
    await Promise.all(tabs.map((tab) => tab.open('/blank')));
    await stage.untilArrived('LastWord');
    await stage.untilQuiet();
    expect((await stage.arrived('LastWord')).map((event) => event.id)).toEqual([id]);
    expect(visitor.batches.filter(({ events }) => events.some((event) => event.id === id)).length).toBeGreaterThan(0);
    expect(await stage.duplicates()).toBe(0);
  });
});
