import { withClock } from './support/clock';
import { keptSite } from './support/keptSite';
import { needs } from './support/needs';
import { ownBrowser } from './support/ownBrowser';
import type { Permutive } from './support/permutive';
import { expectSilence } from './support/silence';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Tab, Visitor } from './support/visitor';

const refusal = { opt_in: false };

/** Fills local storage to the last character, as a page or its other scripts may. */
const fillStorage = (tab: Tab): Promise<void> =>
  tab.page.evaluate(() => {
    for (let size = 1 << 22; size >= 1; size >>= 1)
      for (let i = 0; i < 4; i += 1)
        try {
          localStorage.setItem(`page-${size}-${i}`, 'x'.repeat(size));
        } catch {
          break;
        }
  });

/** Local storage is absent, as in a web view without DOM storage. */
const withoutStorage = (visitor: Visitor): Promise<unknown> =>
  visitor.context.addInitScript(() => Object.defineProperty(window, 'localStorage', { value: null }));

const refuse = (tab: Tab): Promise<void> => tab.ask((permutive, answer) => permutive.consent(answer), refusal);

describe('A refusal that local storage does not take', () => {
  const stage = stageForTests();

  const expectNoTracking = async (visitor: Visitor, tab: Tab = visitor): Promise<void> => {
    expect(await tab.track('Refused')).toBeNull();
    await expectSilence({ ...visitor, page: tab.page }, stage);
  };
  /** What has been asked so far is forgotten, once all of it has been answered. */
  const forget = async ({ asked }: Visitor): Promise<void> => {
    await stage.untilIdle();
    await stage.resetApi();
    asked.length = 0;
  };
  /** Whose pages have a clock that the test may turn. */
  const visitorWithClock = async (): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    return visitor;
  };

  /** The visitor refuses; the next page sends nothing, also where an event is tracked. */
  const expectRefusalKept = async (visitor: Visitor): Promise<void> => {
    await refuse(visitor);
    await forget(visitor);
    await visitor.open('/blank');
    await expectNoTracking(visitor);
  };

  test('because it is full holds on the next page', async () => {
    const visitor = await visitorWithClock();
    await visitor.open('/blank');
    await visitor.ready();
    await fillStorage(visitor);
    await expectRefusalKept(visitor);
  });

  test('because it was full before the SDK came holds on the next page', async () => {
    const visitor = await visitorWithClock();
    await visitor.open('/empty');
    await fillStorage(visitor);
    await visitor.open('/blank');
    await visitor.ready();
    await expectRefusalKept(visitor);
  });

  test('because there is none holds on the next page, until the visitor consents', async () => {
    const visitor = await visitorWithClock();
    await withoutStorage(visitor);
    await visitor.open('/blank');
    await visitor.ready();
    await expectRefusalKept(visitor);
    await visitor.ask((permutive) => permutive.consent({ opt_in: true }));
    await stage.untilArrived('Pageview');
    await visitor.open('/blank');
    await stage.untilArrived('Pageview', 2);
  });

  test('stops the other tab at once', async () => {
    const visitor = await visitorWithClock();
    await withoutStorage(visitor);
    await visitor.open('/blank');
    const other = await visitor.newTab();
    await withClock(other.page);
    await other.open('/blank');
    await visitor.ready();
    await other.ready();
    await refuse(visitor);
    await until(
      async () => ((await other.track('Refused')) === null ? true : undefined),
      'the refusal in the other tab',
    );
    await forget(visitor);
    await expectNoTracking(visitor, other);
  });
});

describe('A page that returns from the back-forward cache', () => {
  const stage = stageForTests();

  needs('keptWithLock')('sends nothing where the visitor has refused on another page meanwhile', async () => {
    const browser = ownBrowser();
    const site = await keptSite(stage.demo.site);
    try {
      const page = await (await browser.start()).newPage();
      await withClock(page);
      await page.goto(`${site.address}/blank`);
      await page.evaluate(() => {
        const { shows } = Object.assign(window, { shows: [] as boolean[] });
        addEventListener('pageshow', ({ persisted }) => shows.push(persisted));
        const { permutive } = window as unknown as { permutive: Permutive };
        return new Promise<void>((resolve) => void permutive.ready(resolve, 'realtime'));
      });
      await stage.untilArrived('SegmentEntry');
      await page.goto(`${site.address}/empty`);
      // What the page sends as it goes.
      await stage.untilArrived('PageviewComplete');
      await page.evaluate(() => localStorage.setItem('permutive-consent', '{"opt_in":false}'));
      await stage.untilIdle();
      await stage.resetApi();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goBack({ waitUntil: 'commit' });
      await until(
        () => page.evaluate(() => (window as { shows?: boolean[] }).shows?.includes(true) === true || undefined),
        'the page from the cache',
      );
      await expectSilence({ page, asked }, stage);
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['permutive-consent']);
    } finally {
      await browser.remove();
      site.close();
    }
  });
});
