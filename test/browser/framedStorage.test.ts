import { type FramedSite, framedSite } from './support/framedSite';
import { needs } from './support/needs';
import { stageForTests } from './support/stage';
import { strictBrowser } from './support/strictBrowser';
import { until } from './support/until';
import { untilCounted } from './support/untilCounted';
import { untilSettled } from './support/untilSettled';
import { newVisitor, uuid, type Visitor } from './support/visitor';

const sites: FramedSite[] = [];
afterEach(() => sites.splice(0).forEach((site) => site.close()));

const stage = stageForTests();

/** What a frame says of itself. */
interface Told {
  readonly user: string;
  readonly origin: string;
  /** Page views that its engine has counted. */
  readonly views: number;
  readonly warnings: readonly string[];
  /** Errors that nobody has caught. */
  readonly thrown: readonly string[];
}

/** Tells the outermost window, once the engine has counted, what the page is like with the SDK. */
const telling = `<script>{
const [warnings, thrown] = [[], []];
const { warn } = console;
console.warn = (...args) => { warnings.push(args.map(String).join(' ')); warn.apply(console, args); };
addEventListener('error', ({ message }) => thrown.push(message));
addEventListener('unhandledrejection', ({ reason }) => thrown.push(String(reason)));
const tell = async () => {
  const user = await permutive.user();
  const views = Number(/: has (\\d+),/.exec(await permutive.explain(20404))?.[1] ?? 0);
  top.postMessage({ user, origin, views, warnings, thrown }, '*');
};
permutive.ready(() => setInterval(tell, 200), 'realtime');
}</script>`;

const hearing = `<script>addEventListener('message', ({ data }) => { if (data.user) window.told = data; });</script>`;

/** A site whose page `/outer` has a frame with the SDK. `attributes`: of the frame. */
const framed = async (attributes = '', host = 'publisher'): Promise<FramedSite> => {
  const outer = (originOf: FramedSite['originOf']): string =>
    `<!doctype html><body>${hearing}<iframe ${attributes} src="${originOf(host)}/blank"></iframe>`;
  const site = await framedSite(stage.demo.site, { '/outer': outer }, telling);
  sites.push(site);
  return site;
};

/** Opens the page of that host, and waits until its frame has counted so many page views. */
const openCounted = async ({ page }: Visitor, origin: string, views: number): Promise<Told> => {
  // What the frame tells is waited for, and not the end of all its requests.
  await page.goto(`${origin}/outer`, { waitUntil: 'domcontentloaded' });
  const told = await until(async () => {
    const last = await page.evaluate<Told | undefined>('window.told');
    return last !== undefined && last.views >= views ? last : undefined;
  }, `${views} counted page views`);
  return told;
};

/** What a visitor does, who then leaves: the browser is closed also where that fails. */
const leaving = async <Done>({ context }: Visitor, visit: () => Promise<Done>): Promise<Done> => {
  try {
    return await visit();
  } finally {
    await context.close();
  }
};

const ignore = (): undefined => undefined;

const noStorage = /^\[permutive\] LocalStorage access is required\. (?!.*undefined)/;

describe('A frame', () => {
  test('that is sandboxed, and so has no origin, works from memory and says one line', async () => {
    const site = await framed('sandbox="allow-scripts"');
    const visitor = await stage.visitor();
    // The demo's API takes requests of pages of this machine, which this one does not say that it is.
    await visitor.context.route(
      ({ origin }) => origin === stage.demo.api,
      async (route) => {
        const allow = { 'access-control-allow-origin': 'null', 'access-control-allow-credentials': 'true' };
        const headers = { ...route.request().headers(), origin: stage.demo.site };
        const response = await route.fetch({ headers }).catch(ignore);
        // The page may be gone by then.
        if (response) await route.fulfill({ response, headers: { ...response.headers(), ...allow } }).catch(ignore);
      },
    );
    const first = await openCounted(visitor, site.originOf('publisher'), 1);
    expect(first).toEqual({
      user: expect.stringMatching(uuid) as string,
      origin: 'null',
      views: 1,
      warnings: [expect.stringMatching(noStorage)],
      thrown: [],
    });
    // Nothing is kept for the next page.
    await stage.untilArrived('Pageview');
    const second = await openCounted(visitor, site.originOf('publisher'), 1);
    expect(second).toMatchObject({ views: 1, thrown: [] });
    expect(second.user).not.toBe(first.user);
    const users = (await stage.untilArrived('Pageview', 2)).map((event) => event.user_id);
    expect(users).toEqual([first.user, second.user]);
  });

  test('of another site counts from page to page, and under each site by itself', async () => {
    const site = await framed('', 'embedded');
    const visitor = await newVisitor(strictBrowser('apart'), stage.demo.site);
    const told = await leaving(visitor, async () => {
      const all = [
        await openCounted(visitor, site.originOf('publisher'), 1),
        await openCounted(visitor, site.originOf('publisher'), 2),
        await openCounted(visitor, site.originOf('other'), 1),
      ];
      // The browser is killed then, and no page would send what is left.
      await stage.untilArrived('Pageview', 3);
      return all;
    });
    const quiet = { origin: site.originOf('embedded'), warnings: [], thrown: [] };
    expect(told).toMatchObject([1, 2, 1].map((views) => ({ views, ...quiet })));
    expect(told[1]?.user).toBe(told[0]?.user);
    expect(await stage.arrived('Pageview')).toHaveLength(3);
    expect(visitor.errors).toEqual([]);
  });

  needs('refusedFrames')(
    'of another site whose storage the visitor refuses works from memory and says one line',
    async () => {
      const site = await framed('', 'embedded');
      const visitor = await newVisitor(strictBrowser('own site'), stage.demo.site);
      const told = await leaving(visitor, () => openCounted(visitor, site.originOf('publisher'), 1));
      expect(told).toMatchObject({ views: 1, warnings: [expect.stringMatching(noStorage)], thrown: [] });
      expect(visitor.errors).toEqual([]);
    },
  );
});

describe('A page', () => {
  test('whose visitor lets no site store anything works from memory and says one line', async () => {
    const visitor = await newVisitor(strictBrowser('nothing'), stage.demo.site);
    const visit = async (): Promise<readonly [user: string, views: number]> => {
      await visitor.open('/blank');
      await visitor.ready();
      await stage.untilArrived('Pageview');
      const views = await untilCounted(visitor, 1);
      await untilSettled(stage, visitor);
      return [await visitor.ask((permutive) => permutive.user()), views];
    };
    const [user, views] = await leaving(visitor, visit);
    expect(views).toBe(1);
    expect((await stage.arrived('Pageview')).map((event) => event.user_id)).toEqual([user]);
    expect([visitor.errors, await visitor.warnings()]).toEqual([[], [expect.stringMatching(noStorage)]]);
  });
});
