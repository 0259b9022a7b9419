import { project } from '../../demo/project/project';
import { sdkVersion } from '../../src/model/clientContext';
import { dayMs } from '../../src/primitives/duration';
import { letPass, withClock } from './support/clock';
import { countedViews } from './support/countedViews';
import { untilAllEntered } from './support/entered';
import { needs } from './support/needs';
import { type Arrived, type Stage, stageForTests } from './support/stage';
import { until } from './support/until';
import { loadedWithoutWorker, scriptFile, uuid, uuidV4, type Visitor, workerFile } from './support/visitor';

const savings = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';
const gigWork = '/personal-finance/gig-works-missing-payslip';
const numbersOf = (entries: readonly Arrived[]) => entries.map(({ properties }) => properties['segment_number']).sort();
const parsed = (text: string | undefined): unknown => JSON.parse(text ?? 'null');

/** Cohorts that have a number; those of advertisers and models have none. */
const numbersAmong = (codes: readonly unknown[]): unknown[] => codes.filter((code) => typeof code === 'number');
/** What Google's tag gets: the codes of its platform, and those of advertisers. */
const codesForGoogle = (stored: Readonly<Record<string, string>>): readonly string[] => [
  ...new Set(['_pdfps', '_ppam', '_pcrprs'].flatMap((key) => ((parsed(stored[key]) ?? []) as unknown[]).map(String))),
];

interface Visit {
  readonly visitor: Visitor;
  readonly pageview: Arrived;
}
const visit = async (stage: Stage, path: string): Promise<Visit> => {
  const visitor = await stage.visitor();
  await visitor.open(path);
  await visitor.ready();
  const [pageview] = await stage.untilArrived('Pageview');
  return { visitor, pageview: pageview! };
};

describe('The first page view', () => {
  const stage = stageForTests();

  test('takes up what the page called before the script came, which is from another origin', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(scriptFile);
    const script = visitor.page.waitForRequest(scriptFile);
    const worker = visitor.page.waitForRequest(workerFile);
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.ask((permutive) => void permutive.track('BeforeTheScript', { n: 1 }));
    expect(await visitor.ask((permutive) => permutive.q.map(({ functionName }) => functionName))).toEqual([
      'addon',
      'track',
    ]);
    release();
    // The first Pageview waits for the fields that queries read, so it may arrive later.
    const [called] = await stage.untilArrived('BeforeTheScript');
    const [view] = await stage.untilArrived('Pageview');
    expect(Date.parse(view!.time)).toBeLessThanOrEqual(Date.parse(called!.time));
    expect(new URL((await script).url()).origin).toBe(stage.demo.cdn);
    expect(new URL((await worker).url()).origin).toBe(stage.demo.cdn);
    expect(stage.demo.cdn).not.toBe(stage.demo.site);
  });

  test('has addresses without trailing slashes', async () => {
    const { visitor, pageview } = await visit(stage, '/');
    expect(pageview.properties['client']).toMatchObject({ url: stage.demo.site, referrer: '' });
    await visitor.page.locator('[data-test="sections"] a[href="/markets"]').click();
    const [, next] = await stage.untilArrived('Pageview', 2);
    expect(next?.properties['client']).toMatchObject({ url: `${stage.demo.site}/markets`, referrer: stage.demo.site });
  });

  test('does well on a page that has no ad server', async () => {
    const { visitor } = await visit(stage, '/?gpt=none');
    await stage.untilEntered(20401);
    expect(parsed((await visitor.storage())['_pdfps'])).toContain('20401');
  });
});

describe('The first page view, of a blank page', () => {
  const stage = stageForTests({ keepsVisits: true });
  let visitor: Visitor;
  let pageview: Arrived;
  let began: number;
  beforeAll(async () => {
    began = Date.now();
    ({ visitor, pageview } = await visit(stage, '/blank'));
  });

  needs('secureOnHttp')('gives the visitor an id, in the cookie and in local storage', async () => {
    const { 'permutive-id': id } = await visitor.storage();
    expect(id).toMatch(uuidV4);
    expect(await visitor.ask((permutive) => permutive.user())).toBe(id);
    expect(pageview.user_id).toBe(id);

    const cookie = (await visitor.context.cookies()).find(({ name }) => name === 'permutive-id');
    expect(cookie).toMatchObject({ value: id, path: '/', secure: true, sameSite: 'None', domain: 'localhost' });
    const days = (cookie!.expires * 1000 - Date.now()) / dayMs;
    expect(days).toBeGreaterThan(180);
    expect(days).toBeLessThan(185);
  });

  test('begins a session, stored with the time of the last event', async () => {
    const session = parsed((await visitor.storage())['permutive-session']) as Record<string, string>;
    expect(Object.keys(session).sort()).toEqual(['last_updated', 'session_id']);
    expect(session['session_id']).toMatch(uuid);
    expect(new Date(session['last_updated']!).toISOString()).toBe(session['last_updated']);
    expect(Date.parse(session['last_updated']!)).toBeGreaterThanOrEqual(began);
    expect(Date.parse(session['last_updated']!)).toBeLessThanOrEqual(Date.now());
    expect(pageview.session_id).toBe(session['session_id']);
  });

  test('arrives with every field of the event record', async () => {
    expect(Object.keys(pageview).sort()).toEqual([
      'cohorts',
      'id',
      'name',
      'properties',
      'segments',
      'session_id',
      'time',
      'user_id',
      'view_id',
    ]);
    expect(pageview.id).toMatch(uuid);
    expect(pageview.view_id).toBe(await visitor.ask((permutive) => permutive.config['viewId']));
    expect(pageview.view_id).toMatch(uuid);
    expect(new Date(pageview.time).toISOString()).toBe(pageview.time);
    expect(pageview.properties['type']).toBe('blank');
    expect(pageview.properties['client']).toEqual({
      type: 'web',
      user_agent: `${await visitor.page.evaluate(() => navigator.userAgent)} PermutiveWebSDK/${sdkVersion}`,
      url: `${stage.demo.site}/blank`,
      domain: 'localhost',
      title: 'Blank page',
      referrer: '',
    });
    expect(await visitor.ask(({ context }) => context)).toMatchObject({
      user_id: pageview.user_id,
      session_id: pageview.session_id,
      view_id: pageview.view_id,
    });
  });

  test('travels in batches that ask for no permission and carry no credentials', async () => {
    await stage.untilArrived('SegmentEntry');
    expect(await stage.duplicates()).toBe(0);
    // The last ones leave as the page does.
    await visitor.open('/blank');
    await stage.untilArrived('Pageview', 2);
    const requests = await stage.requests('/batch/events');
    expect(requests.length).toBeGreaterThan(1);
    expect(await visitor.page.evaluate(() => document.cookie)).toContain('permutive-id=');
    for (const { method, path, query, contentType, cookie } of requests) {
      expect({ method, path, cookie }).toEqual({ method: 'POST', path: '/v2.0/batch/events', cookie: false });
      expect(contentType).toMatch(/^text\/plain(;|$)/);
      expect(query).toMatch(new RegExp(`^\\?enrich=(true|false)&sdkp=true&k=${project.apiKey}$`));
    }
    for (const { events } of visitor.batches) {
      expect(events.length).toBeGreaterThan(0);
      expect(events.length).toBeLessThanOrEqual(100);
    }
    expect(await stage.rejected()).toEqual([]);
  });
});

describe('The first page view, of an article', () => {
  const stage = stageForTests({ keepsVisits: true });
  let visitor: Visitor;
  let pageview: Arrived;
  beforeAll(async () => {
    ({ visitor, pageview } = await visit(stage, savings));
    await stage.untilEntered(20401, 20111, 10_000_010);
  });

  test('carries the properties of the page at the top level', () => {
    expect(pageview.properties).toMatchObject({
      type: 'article',
      article: { section: 'Personal Finance', authors: [expect.any(String)] },
    });
  });

  test('is followed by an entry for each cohort that the visitor is in', async () => {
    const codes = await untilAllEntered(stage, visitor);
    const events = await stage.arrived();
    const entries = events.filter(({ name }) => name === 'SegmentEntry');
    expect(codes).toEqual(expect.arrayContaining([20401, 20111, 10_000_010]));
    // No more than one for each.
    expect(numbersOf(entries)).toEqual([...new Set(numbersOf(entries))]);
    expect(numbersOf(entries)).toEqual(expect.arrayContaining(numbersAmong(codes)));
    // One cohort needs no event, and codes without a number are the page's.
    const isLedTo = ({ name, properties: { segment_number: code } }: Arrived): boolean =>
      name === 'SegmentEntry' && typeof code === 'number' && code !== 20733;
    expect(events.findIndex(({ name }) => name === 'Pageview')).toBeLessThan(events.findIndex(isLedTo));
    for (const entry of entries)
      expect(entry).toMatchObject({
        view_id: pageview.view_id,
        session_id: pageview.session_id,
        user_id: pageview.user_id,
      });
    expect(await stage.rejected()).toEqual([]);
  });

  test('does not carry the cohorts that it leads to', () => {
    // The one cohort that no event leads to: readers on the paper's own domain.
    expect(pageview.segments.filter((code) => code !== 20733)).toEqual([]);
    // The contextual service says what the page is about, often before the engine is ready; its codes have no number.
    expect(pageview.cohorts.filter((code) => /^\d+$/.test(code))).toEqual(pageview.segments.map(String));
  });

  test('stores the cohorts for ad server, Prebid and partners', async () => {
    // What is stored and the app state are compared at one moment: ads that come into view make a member of more.
    const { codes, stored, cookie } = await until(
      () =>
        visitor.ask(async (permutive) => {
          const codes = await permutive.segments();
          const stored: Record<string, string> = Object.fromEntries(Object.entries<string>(localStorage));
          const list = (text = '[]'): string => (JSON.parse(text) as unknown[]).map(String).sort().join();
          const state = JSON.parse(stored['permutive-app'] ?? '{}') as { core?: { cohorts: { all: string[] } } };
          const isAllStored =
            list(JSON.stringify(state.core?.cohorts.all)) === list(JSON.stringify(codes)) &&
            list(stored['_psegs']) === list(JSON.stringify(codes.filter((code) => typeof code === 'number')));
          const [, cookie = ''] = /(?:^|; )_pdfps=([^;]*)/.exec(document.cookie) ?? [];
          return isAllStored && codes.includes(20111) ? { codes, stored, cookie } : undefined;
        }),
      'the cohorts in the app state and under the key of partners',
    );
    const dfp = parsed(stored['_pdfps']) as unknown[];
    expect(dfp.map(String)).toContain('20111');
    // Computed for the newsroom alone.
    expect(codes).toContain(20733);
    expect(dfp.map(String)).not.toContain('20733');
    expect(parsed(decodeURIComponent(cookie))).toEqual(dfp);
  });
});

describe("The page targeting of Google's tag", () => {
  const stage = stageForTests();

  test.each([
    ['there from the start', ''],
    ['late', '?gpt=late'],
    ['without setTargeting', '?gpt=setConfig'],
  ])('has the cohorts of the first page view, where that is %s', async (_, query) => {
    const { visitor, pageview } = await visit(stage, savings + query);
    // Advertisers' cohorts come with an answer of their own. A slow one may still come between two looks.
    const { permutive, others } = await until(async () => {
      const hasTag = await visitor.page.evaluate(
        () => 'googletag' in window && 'getConfig' in (window.googletag as object),
      );
      if (!hasTag) return undefined;
      const [{ permutive = [], ...others }, codes] = [
        await visitor.targeting(),
        codesForGoogle(await visitor.storage()),
      ];
      return permutive.includes('20401') && permutive.join() === [...codes, 'rts'].join()
        ? { permutive, others }
        : undefined;
    }, "the stored codes and rts in the targeting of Google's tag");
    expect(permutive.at(-1)).toBe('rts');
    expect(others).toMatchObject({
      puid: [pageview.user_id],
      ptime: [expect.stringMatching(/^\d{13}$/)],
      prmtvsdk: ['web'],
      prmtvvid: [pageview.view_id],
      prmtvwid: [project.workspaceId],
    });
  });
});

describe('The second page view', () => {
  const stage = stageForTests();

  const firstVisit = async (path: string): Promise<Visitor> => {
    const { visitor } = await visit(stage, path);
    // Services may answer more than half a second after the page view, and their cohorts are told apart then.
    await visitor.ask((permutive) => permutive.startup());
    await stage.untilEntered(20401);
    return visitor;
  };

  test('of a short first one begins after that is complete, with the same user and session, and counts both once', async () => {
    const visitor = await firstVisit('/blank');
    const codes = await untilAllEntered(stage, visitor);
    await visitor.open('/empty');
    const [complete] = await stage.untilArrived('PageviewComplete');
    const [first] = await stage.arrived('Pageview');
    expect(complete).toMatchObject({
      view_id: first!.view_id,
      session_id: first!.session_id,
      properties: {
        type: 'blank',
        client: { url: `${stage.demo.site}/blank` },
        aggregations: {
          PageviewEngagement: { engaged_time: 0, completion: expect.any(Number) as number },
          SegmentExit: [],
          CohortExit: [],
        },
      },
    });
    const { SegmentEntry, CohortEntry } = complete!.properties['aggregations'] as {
      SegmentEntry: number[];
      CohortEntry: string[];
    };
    expect([...SegmentEntry].sort()).toEqual(numbersAmong(codes).sort());
    expect([...CohortEntry].sort()).toEqual(codes.map(String).sort());

    await visitor.open('/blank');
    const [, second] = await stage.untilArrived('Pageview', 2);
    expect(second).toMatchObject({ user_id: first!.user_id, session_id: first!.session_id });
    expect(second?.view_id).toMatch(uuid);
    expect(second?.view_id).not.toBe(first!.view_id);
    await visitor.ready();
    await until(
      async () => ((await visitor.ask((permutive) => permutive.segment(20403))) ? true : undefined),
      'the cohort of two page views',
    );
    expect(await countedViews(visitor)).toBe(2);
    // Of three page views, and there were two.
    expect(await visitor.ask((permutive) => permutive.segment(20402))).toBe(false);
    await visitor.open('/blank');
    await stage.untilEntered(20402);
    await visitor.page.close({ runBeforeUnload: true });
    const completed = await stage.untilArrived('PageviewComplete', 3);
    expect(new Set(completed.map(({ view_id }) => view_id)).size).toBe(3);
  });

  test('carries the cohorts of the first, serves its first ads with them, and goes on counting', async () => {
    const visitor = await firstVisit(savings);
    await untilAllEntered(stage, visitor);
    const before = numbersOf(await stage.arrived('SegmentEntry'));
    expect(before).not.toContain(20112);
    expect(before).not.toContain(20403);

    // What the first page has left, as it stands before the SDK starts on the second.
    await visitor.page.addInitScript(() =>
      Object.assign(window, { left: Object.fromEntries(Object.entries(localStorage)) }),
    );
    const release = await visitor.hold(workerFile);
    const worker = visitor.page.waitForRequest(workerFile);
    await visitor.open(gigWork, loadedWithoutWorker);
    await worker;
    const left = await visitor.page.evaluate(() => (window as unknown as { left: Record<string, string> }).left);
    expect(parsed(left['_psegs'])).toEqual(expect.arrayContaining([20401, 20111]));
    const atFirst = await until(async () => {
      const targeting = await visitor.targeting();
      return 'prmtvsdk' in targeting ? targeting : undefined;
    }, 'targeting before the engine');
    expect(atFirst['permutive']).toEqual(codesForGoogle(left));
    release();
    await visitor.ready();
    const then = (await visitor.targeting())['permutive'] ?? [];
    expect(then.at(-1)).toBe('rts');
    expect(then).toEqual(expect.arrayContaining(['20403', '20112']));

    const [, second] = await stage.untilArrived('Pageview', 2);
    // Those of the first page, with the one of its view, which has been removed from what partners read.
    const ofView = [10000001];
    expect([...second!.segments].sort()).toEqual([...ofView, ...(parsed(left['_psegs']) as unknown[])].sort());
    await stage.untilEntered(20403, 20112);
    expect(await visitor.ask((permutive) => permutive.segment(20112))).toBe(true);
    await untilAllEntered(stage, visitor);
    const all = numbersOf(await stage.arrived('SegmentEntry'));
    expect(all).toEqual([...new Set(all)]);
  });
});

describe('Engagement', () => {
  const stage = stageForTests();

  type Presence = 'active' | 'idle' | 'in the background';
  const reader = async (presence: Presence): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    if (presence === 'in the background') {
      await visitor.page.addInitScript(() => {
        Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
        Object.defineProperty(document, 'hidden', { get: () => true });
      });
    }
    await visitor.open(savings);
    await visitor.ready();
    // Engagement is counted from the page view on.
    await until(async () => ((await visitor.heard('Pageview')).length > 0 ? true : undefined), 'the Pageview');
    return visitor;
  };
  const moveMouse = ({ page }: Visitor): Promise<void> => page.mouse.move(Math.random() * 500, Math.random() * 500);
  const told = async (visitor: Visitor): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    (await visitor.heard('PageviewEngagement')).map(({ properties }) => properties);

  test('is told every five seconds of activity, to the page and not to the server', async () => {
    const [active, idle, hidden] = await Promise.all([reader('active'), reader('idle'), reader('in the background')]);
    // A second passes for all of them, and all but the idle one move the mouse.
    await until(async () => {
      await Promise.all([active, hidden].map(moveMouse));
      await Promise.all([active, idle, hidden].map(({ page }) => letPass(page, 1000)));
      return (await told(active)).length >= 2 ? true : undefined;
    }, 'ten seconds of activity');
    const events = await told(active);
    expect(events).toMatchObject([
      { engaged_time: 5, total_engaged_time: 5, type: 'article', article: { section: 'Personal Finance' } },
      { engaged_time: 5, total_engaged_time: 10 },
    ]);
    for (const { completion, total_completion } of events) {
      expect(completion).toBeGreaterThanOrEqual(0);
      expect(total_completion).toBeGreaterThan(0);
      expect(total_completion).toBeLessThanOrEqual(1);
    }
    expect(await told(idle)).toEqual([]);
    expect(await told(hidden)).toEqual([]);
    // Ten seconds with an article lead to a cohort: what is not uploaded is evaluated all the same.
    const entries = numbersOf(await stage.untilEntered(20407));
    expect(entries.filter((code) => code === 20407)).toHaveLength(1);
    expect(await stage.arrived('PageviewEngagement')).toEqual([]);
  });
});

describe('A visitor who moves on at once', () => {
  const stage = stageForTests();

  const trackAndClick = (visitor: Visitor, round: number): Promise<void> =>
    visitor.ask((permutive, n) => {
      const remember = (id: string): void =>
        localStorage.setItem('accepted', `${localStorage.getItem('accepted') ?? ''} ${id}`);
      for (let i = 0; i < 25; i += 1)
        void permutive.track('LastWords', { round: n, i }).then((event) => remember(event?.id ?? ''));
      document.querySelector<HTMLAnchorElement>('.teaser h3 a')?.click();
    }, round);

  test('takes no event along: what was tracked before a click on a link arrives', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/');
    for (const round of [1, 2, 3, 4]) {
      await visitor.ready('initialised');
      // Frames of ads navigate too.
      const navigated = visitor.page.waitForEvent('framenavigated', (frame) => frame === visitor.page.mainFrame());
      await trackAndClick(visitor, round);
      await navigated;
      await visitor.page.waitForLoadState();
    }
    await stage.untilArrived('LastWords', 100);
    const accepted = (await visitor.storage())['accepted']?.trim().split(' ') ?? [];
    expect(accepted).toHaveLength(100);
    const arrived = await stage.arrived();
    expect(new Set(arrived.map(({ id }) => id))).toEqual(
      new Set([...accepted, ...arrived.filter(({ name }) => name !== 'LastWords').map(({ id }) => id)]),
    );
    expect(arrived.filter(({ name }) => name === 'LastWords')).toHaveLength(100);
    expect(await stage.rejected()).toEqual([]);
  });

  test('loses no page view, however short it was', async () => {
    const visitor = await stage.visitor();
    for (let i = 0; i < 5; i += 1) {
      await visitor.open('/blank');
      await visitor.ready('initialised');
    }
    await stage.untilArrived('Pageview', 5);
    await stage.untilArrived('PageviewComplete', 4);
    const views = (await stage.arrived('Pageview')).map(({ view_id }) => view_id);
    expect(new Set(views).size).toBe(5);
    const last = await visitor.ask(({ context }) => context.view_id);
    expect((await stage.arrived('PageviewComplete')).map(({ view_id }) => view_id).sort()).toEqual(
      views.filter((view) => view !== last).sort(),
    );
  });
});
