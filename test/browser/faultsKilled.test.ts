import { trackLast, untilNothingToSend, untilStarted } from './support/entered';
import { keptSite } from './support/keptSite';
import { needs } from './support/needs';
import { ownBrowser } from './support/ownBrowser';
import { pause } from './support/pause';
import type { ProfiledBrowser } from './support/profiledBrowser';
import { openStage, type Stage } from './support/stage';
import { storedEvents } from './support/storedRecords';
import { until } from './support/until';
import { untilAnswered } from './support/untilAnswered';
import { untilKept } from './support/untilKept';
import { type Tab, tabOf } from './support/visitor';

/** The cohort of the sample project that is entered by `LoginStatus`. */
const readersLoggedIn = 20418;

const trackMany = (tab: Tab, name: string, count: number): Promise<readonly string[]> =>
  tab.ask(
    async (permutive, [event, times]) => {
      const taken = await Promise.all(Array.from({ length: times }, (_, i) => permutive.track(event, { i })));
      return taken.map((each) => each?.id ?? '');
    },
    [name, count] as const,
  );

/** What one stage's visitors have: browsers of their own, and the errors of their pages. */
interface World {
  readonly stage: Stage;
  readonly browsers: ProfiledBrowser[];
  readonly errors: string[];
  /** What their pages have sent to `/batch/events`. */
  readonly batches: { readonly url: string; readonly text: string }[];
}
const opened = async ({ stage, errors, batches }: World, browser: ProfiledBrowser): Promise<Tab> => {
  const context = await browser.start();
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('request', (request) => {
    if (request.url().includes('/batch/events')) batches.push({ url: request.url(), text: request.postData() ?? '' });
  });
  const tab = tabOf(await context.newPage(), stage.demo.site);
  await tab.open('/blank');
  return tab;
};
const inWorld = async (work: (world: World) => Promise<void>): Promise<void> => {
  const world: World = { stage: await openStage(), browsers: [], errors: [], batches: [] };
  try {
    await work(world);
    expect(world.errors).toEqual([]);
  } finally {
    await Promise.all(world.browsers.map((browser) => browser.remove()));
    await world.stage.close();
  }
};
const newBrowser = ({ browsers }: World): ProfiledBrowser => {
  const browser = ownBrowser();
  browsers.push(browser);
  return browser;
};

describe('A browser that is killed after an event was tracked', () => {
  const rows = [
    ['Quarter', 250],
    ['Second', 1000],
  ] as const;

  test.each([
    ['down', { reset: true }],
    ['hanging', { hang: true }],
  ])('loses nothing while the server is %s', (_, fault) =>
    inWorld(async (world) => {
      const { stage } = world;
      const killed = await Promise.all(
        rows.map(async ([name, ms]) => {
          const browser = newBrowser(world);
          const tab = await opened(world, browser);
          await untilStarted(stage, tab);
          return { browser, tab, name, ms };
        }),
      );
      // One of them may have been the first to be told what both are in.
      await Promise.all(killed.map(({ tab }) => trackLast(stage, tab).then(() => untilAnswered(tab.page))));
      await stage.fault({ path: '/batch/events' }, fault);
      const accepted = await Promise.all(
        killed.map(async ({ browser, tab, name, ms }) => {
          const ids = await trackMany(tab, name, 20);
          await pause(ms, 'no system kills a browser in the task of the page that tracks');
          await untilKept(tab.page, name, 20);
          await browser.kill();
          return ids;
        }),
      );
      expect(await stage.arrived('Quarter')).toEqual([]);
      await stage.clearFaults();
      const next = await Promise.all(killed.map(({ browser }) => opened(world, browser)));
      const arrived = await Promise.all(rows.map(([name]) => stage.untilArrived(name, 20)));
      expect(arrived.map((events) => events.map(({ id }) => id).sort())).toEqual(
        accepted.map((ids) => [...ids].sort()),
      );
      await Promise.all(next.map((tab) => trackLast(stage, tab)));
      expect(await stage.duplicates()).toBe(0);
      expect(await stage.rejected()).toEqual([]);
    }),
  );

  test('loses nothing, and repeats nothing that was answered, while the server is up', () =>
    inWorld(async (world) => {
      const { stage } = world;
      const browser = newBrowser(world);
      const tab = await opened(world, browser);
      await untilStarted(stage, tab);
      const ids = await trackMany(tab, 'Up', 20);
      await stage.untilArrived('Up', 20);
      // The answer has been heard, and the journal has heard of it.
      await untilNothingToSend(stage, tab);
      await browser.kill();
      const next = await opened(world, browser);
      await stage.untilArrived('Pageview', 2);
      await trackLast(stage, next);
      expect((await stage.arrived('Up')).map(({ id }) => id)).toEqual(ids);
      expect(await stage.duplicates()).toBe(0);
    }));
});

describe('A browser that is killed while an event waits for its place', () => {
  test('sends the event from the next page, for the server to fill', () =>
    inWorld(async (world) => {
      const { stage } = world;
      const browser = newBrowser(world);
      await stage.fault({ path: '/geoip' }, { hang: true });
      const tab = await opened(world, browser);
      // The entry that the Pageview leads to: one that needs no event comes before it.
      await stage.untilEntered(20401);
      // What the page has not heard of, the next one sends again.
      await untilNothingToSend(stage, tab);
      await tab.ask((permutive) => void permutive.track('Placed', { place: '$ip_geo_info', address: '$ip_address' }));
      await pause(250, 'no system kills a browser in the task of the page that tracks');
      await untilKept(tab.page, 'Placed', 1);
      expect(await stage.arrived('Placed')).toEqual([]);
      await browser.kill();
      const next = await opened(world, browser);
      const [event] = await stage.untilArrived('Placed');
      expect(event?.properties).toMatchObject({ place: '$ip_geo_info', address: null });
      // The browser tells of a request after the server, now and then.
      const sent = await until(() => {
        const found = world.batches.filter(({ text }) => text.includes('"Placed"'));
        return found.length > 0 ? found : undefined;
      }, 'the request');
      expect(sent.map(({ url }) => new URL(url).searchParams.get('enrich'))).toEqual(['true']);
      await trackLast(stage, next);
      expect(await stage.duplicates()).toBe(0);
    }));
});

describe('A browser that is killed while events come each second', () => {
  test('has counted on the next page all that was tracked until then', () =>
    inWorld(async (world) => {
      const browser = newBrowser(world);
      const tab = await opened(world, browser);
      await tab.ready();
      // The state is saved before the events come, so that only they are missing from it. A browser that is killed
      // sooner has lost the id of the visitor, and the next page is somebody else's.
      await pause(6000, 'browsers write local storage after five seconds, and tell nobody');
      await tab.track('LoginStatus', { logged_in: true });
      // The engine saves in a quiet time only, so these keep it from that. It keeps the event itself at once.
      await until(async () => {
        await pause(1000, 'events come each second');
        await tab.track('Tick');
        return (await storedEvents(tab.page)).includes('LoginStatus') || undefined;
      }, 'the event in the store');
      await browser.kill();
      const next = await opened(world, browser);
      await next.ready();
      expect(await next.ask((permutive, code) => permutive.segment(code), readersLoggedIn)).toBe(true);
    }));
});

describe('A page in the back-forward cache', () => {
  needs('keptWithLock')('is restored, sends what it had and what comes', () =>
    inWorld(async (world) => {
      const { stage } = world;
      const site = await keptSite(stage.demo.site);
      const context = await newBrowser(world).start();
      const tab = tabOf(await context.newPage(), site.address);
      const { page } = tab;
      await tab.open('/blank');
      await tab.ready();
      await page.evaluate(() => {
        const { shows } = Object.assign(window, { shows: [] as boolean[] });
        addEventListener('pageshow', ({ persisted }) => shows.push(persisted));
      });
      await stage.untilArrived('SegmentEntry');
      const before = await trackMany(tab, 'Before', 3);
      await page.goto(`${site.address}/empty`);
      await stage.untilArrived('Before', 3);
      await page.goBack({ waitUntil: 'commit' });
      await until(
        () =>
          page.evaluate(() => ((window as { shows?: boolean[] }).shows?.includes(true) === true ? true : undefined)),
        'the page from the cache',
      );
      const afterwards = await trackMany(tab, 'After', 3);
      await stage.untilArrived('After', 3);
      await trackLast(stage, tab);
      site.close();
      const idsOf = async (name: string): Promise<unknown> => (await stage.arrived(name)).map(({ id }) => id);
      expect([await idsOf('Before'), await idsOf('After')]).toEqual([before, afterwards]);
    }),
  );
});
