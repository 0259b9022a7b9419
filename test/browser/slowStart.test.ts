import { partFile } from './support/bundleFile';
import { openChanged } from './support/changedPage';
import { letPass, withClock } from './support/clock';
import { needs } from './support/needs';
import { type Stage, stageForTests } from './support/stage';
import { failedRequests, type Visitor } from './support/visitor';

const lineOf = (what: string): string => `[permutive] ${what} takes longer than 10 s`;

/** A visitor whose pages have a clock that the test turns. */
const withTurnedClock = async (stage: Stage, ...options: Parameters<Stage['visitor']>): Promise<Visitor> => {
  const visitor = await stage.visitor(...options);
  await withClock(visitor.page);
  return visitor;
};

/** What the console has said of the start once 10 s have gone by, in which requests may have ended too. */
const saidLater = async (visitor: Visitor): Promise<readonly string[]> => {
  await letPass(visitor.page, 10_000);
  return (await visitor.warnings()).filter((line) => line.endsWith('takes longer than 10 s'));
};

describe('A start that waits for longer than 10 s', () => {
  const stage = stageForTests();

  needs('clock').each([
    ['the main part', 'main', '', 'Loading chunk main'],
    ['what reads overrides', 'overrides', '?permutive_debug=true', 'Loading chunk overrides'],
  ])('for %s says so in one line, and goes on', async (_, part, query, what) => {
    const visitor = await withTurnedClock(stage);
    const release = await visitor.hold(partFile(part));
    const asked = visitor.page.waitForRequest(partFile(part));
    await visitor.open(`/blank${query}`, 'domcontentloaded');
    await asked;
    expect(await saidLater(visitor)).toEqual([lineOf(what)]);
    release();
    await stage.untilArrived('Pageview');
    expect(await saidLater(visitor)).toEqual([lineOf(what)]);
  });

  needs('clock')('for the check of natives says so', async () => {
    const visitor = await withTurnedClock(stage);
    const [releaseMain, releaseNatives] = [
      await visitor.hold(partFile('main')),
      await visitor.hold(partFile('natives')),
    ];
    const asked = visitor.page.waitForRequest(partFile('main'));
    await visitor.open('/blank', 'domcontentloaded');
    await asked;
    await visitor.page.evaluate(() => {
      const { isArray } = Array;
      Array.isArray = function (this: unknown, ...given: Parameters<typeof isArray>) {
        return isArray.apply(this, given);
      } as typeof isArray;
    });
    const checked = visitor.page.waitForRequest(partFile('natives'));
    releaseMain();
    await checked;
    const line = lineOf('Loading the check of replaced natives');
    expect(await saidLater(visitor)).toEqual([line]);
    releaseNatives();
    await stage.untilArrived('Pageview');
    expect(await saidLater(visitor)).toEqual([line]);
  });

  needs('clock')('for a task that the page never gives says so', async () => {
    const visitor = await withTurnedClock(stage);
    await visitor.page.addInitScript(() => {
      Object.assign(window, { scheduler: { yield: () => new Promise(() => undefined) } });
    });
    await visitor.open('/blank');
    expect(await saidLater(visitor)).toEqual([lineOf('Waiting for a task')]);
  });

  needs('clock').each([
    ['says so where reports are logged', '?permutive_debug=true', [lineOf('The first Pageview')]],
    ['says nothing elsewhere', '', []],
  ])('for a page that does not start the web addon %s', async (_, query, expected) => {
    const visitor = await withTurnedClock(stage);
    await openChanged(visitor, stage.demo.site, query, (html) =>
      html.replace(/window\.permutive\.addon\('web'.*?\);/s, ''),
    );
    await visitor.ready();
    expect(await saidLater(visitor)).toEqual(expected);
  });
});

describe('A start says nothing after 10 s', () => {
  const stage = stageForTests();

  needs('clock')('where the page has its Pageview, though reports are logged', async () => {
    const visitor = await withTurnedClock(stage);
    await visitor.open('/blank?permutive_debug=true');
    await stage.untilArrived('Pageview');
    expect(await saidLater(visitor)).toEqual([]);
  });

  needs('clock')('where a prerendered page waits for its visitor', async () => {
    const visitor = await withTurnedClock(stage);
    await visitor.page.addInitScript(() => {
      Object.defineProperty(Document.prototype, 'prerendering', { get: () => true });
    });
    const loaded = visitor.page.waitForResponse(partFile('main'));
    await visitor.open('/blank');
    await loaded;
    expect(await saidLater(visitor)).toEqual([]);
    expect(await stage.arrived()).toEqual([]);
  });

  needs('clock')('where it has said already that the main part is missing', async () => {
    const visitor = await withTurnedClock(stage, { expected: failedRequests });
    await visitor.page.route(partFile('main'), (route) => route.fulfill({ status: 404, body: '' }));
    await visitor.open('/blank');
    await visitor.untilWarned('Permutive was not initialized. Loading chunk main failed');
    expect(await saidLater(visitor)).toEqual([]);
  });

  needs('clock')('where it has said already which native of the page does not work', async () => {
    const visitor = await withTurnedClock(stage);
    const release = await visitor.hold(partFile('main'));
    const asked = visitor.page.waitForRequest(partFile('main'));
    await visitor.open('/blank', 'domcontentloaded');
    await asked;
    await visitor.page.evaluate(() => void (Array.isArray = (() => undefined) as unknown as typeof Array.isArray));
    release();
    await visitor.untilWarned('The page has replaced Array.isArray by what does not work');
    expect(await saidLater(visitor)).toEqual([]);
  });

  needs('clock')('where the visitor has refused', async () => {
    const visitor = await withTurnedClock(stage);
    await visitor.open('/blank');
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await visitor.open('/blank?later');
    await visitor.ready();
    expect(await saidLater(visitor)).toEqual([]);
  });
});
