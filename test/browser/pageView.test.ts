import { project } from '../../demo/project/project';
import { sdkVersion } from '../../src/model/clientContext';
import { dayMs } from '../../src/primitives/duration';
import { needs } from './support/needs';
import type { Arrived } from './support/stage';
import { stageForTests } from './support/stage';
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
  ...new Set(['_pdfps', '_ppam', '_pcrprs'].flatMap((key) => (parsed(stored[key]) as unknown[]).map(String))),
];

describe('The first page view', () => {
  const stage = stageForTests();

  const visit = async (path: string): Promise<{ readonly visitor: Visitor; readonly pageview: Arrived }> => {
    const visitor = await stage.visitor();
    await visitor.open(path);
    await visitor.ready();
    const [pageview] = await stage.untilArrived('Pageview');
    return { visitor, pageview: pageview! };
  };

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

  needs('secureOnHttp')('gives the visitor an id, in the cookie and in local storage', async () => {
    const { visitor, pageview } = await visit('/blank');
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
    const { visitor, pageview } = await visit('/blank');
    const session = parsed((await visitor.storage())['permutive-session']) as Record<string, string>;
    expect(Object.keys(session).sort()).toEqual(['last_updated', 'session_id']);
    expect(session['session_id']).toMatch(uuid);
    expect(new Date(session['last_updated']!).toISOString()).toBe(session['last_updated']);
    expect(Math.abs(Date.now() - Date.parse(session['last_updated']!))).toBeLessThan(20_000);
    expect(pageview.session_id).toBe(session['session_id']);
  });

  test('arrives with every field of the event record', async () => {
    const { visitor, pageview } = await visit('/blank');
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

  test('has addresses without trailing slashes', async () => {
    const { visitor, pageview } = await visit('/');
    expect(pageview.properties['client']).toMatchObject({ url: stage.demo.site, referrer: '' });
    await visitor.page.locator('[data-test="sections"] a[href="/markets"]').click();
    const [, next] = await stage.untilArrived('Pageview', 2);
    expect(next?.properties['client']).toMatchObject({ url: `${stage.demo.site}/markets`, referrer: stage.demo.site });
  });

  test('carries the properties of the page at the top level', async () => {
    const { pageview } = await visit(savings);
    expect(pageview.properties).toMatchObject({
      type: 'article',
      article: { section: 'Personal Finance', authors: [expect.any(String)] },
    });
  });

  test('travels in batches that ask for no permission and carry no credentials', async () => {
    const { visitor } = await visit('/blank');
    await stage.untilArrived('SegmentEntry');
    expect(await stage.duplicates()).toBe(0);
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

  test('is followed by an entry for each cohort that the visitor is in', async () => {
    const { visitor, pageview } = await visit(savings);
    await stage.untilEntered(20401, 20111, 10_000_010);
    await stage.untilQuiet();
    const events = await stage.arrived();
    const entries = await stage.arrived('SegmentEntry');
    const codes = await visitor.ask((permutive) => permutive.segments());
    expect(codes).toEqual(expect.arrayContaining([20401, 20111, 10_000_010]));
    expect(numbersOf(entries)).toEqual([...codes].sort());
    expect(events.findIndex(({ name }) => name === 'Pageview')).toBeLessThan(
      events.findIndex(({ name }) => name === 'SegmentEntry'),
    );
    for (const entry of entries)
      expect(entry).toMatchObject({
        view_id: pageview.view_id,
        session_id: pageview.session_id,
        user_id: pageview.user_id,
      });
    expect(await stage.rejected()).toEqual([]);
  });

  test('does not carry the cohorts that it leads to', async () => {
    const { pageview } = await visit(savings);
    await stage.untilEntered(20401);
    // The one cohort that no event leads to: readers on the paper's own domain.
    expect(pageview.segments.filter((code) => code !== 20733)).toEqual([]);
    // The contextual service says what the page is about, often before the engine is ready; its codes have no number.
    expect(pageview.cohorts.filter((code) => /^\d+$/.test(code))).toEqual(pageview.segments.map(String));
  });

  test('stores the cohorts for ad server, Prebid and partners', async () => {
    const { visitor } = await visit(savings);
    await stage.untilEntered(20401, 20111);
    await stage.untilQuiet();
    const codes = await visitor.ask((permutive) => permutive.segments());
    const stored = await visitor.storage();
    expect([...(parsed(stored['_psegs']) as unknown[])].sort()).toEqual(numbersAmong(codes).sort());
    const dfp = parsed(stored['_pdfps']) as unknown[];
    expect(dfp.map(String)).toContain('20111');
    // Computed for the newsroom alone.
    expect(codes).toContain(20733);
    expect(dfp.map(String)).not.toContain('20733');
    expect(parsed((await visitor.cookies())['_pdfps'])).toEqual(dfp);
    // Written a moment later, and compared at one moment: ads that come into view make a member of more.
    await until(
      () =>
        visitor.ask(async (permutive) => {
          const state = JSON.parse(localStorage.getItem('permutive-app') ?? '{}') as {
            core?: { cohorts: { all: string[] } };
          };
          const remembered = (state.core?.cohorts.all ?? []).map(String);
          return [...remembered].sort().join() === (await permutive.segments()).map(String).sort().join() &&
            remembered.includes('20111')
            ? true
            : undefined;
        }),
      'the cohorts in the app state',
    );
  });

  test.each([
    ['there from the start', ''],
    ['late', '?gpt=late'],
    ['without setTargeting', '?gpt=setConfig'],
  ])("reaches the page targeting of Google's tag, where that is %s", async (_, query) => {
    const { visitor, pageview } = await visit(savings + query);
    await until(async () => {
      const targeting = (await visitor.page.evaluate(
        () => 'googletag' in window && 'getConfig' in (window.googletag as object),
      ))
        ? await visitor.targeting()
        : {};
      return targeting['permutive']?.includes('rts') || undefined;
    }, 'targeting with rts');
    // Advertisers' cohorts come with an answer of their own. A slow one may still come between two looks.
    await stage.untilQuiet();
    const [{ permutive = [], ...others }, stored] = await until(async () => {
      const [targeting, codes] = [await visitor.targeting(), codesForGoogle(await visitor.storage())];
      return String(targeting['permutive']?.slice(0, -1)) === String(codes) ? ([targeting, codes] as const) : undefined;
    }, "the stored codes in the targeting of Google's tag");
    expect(permutive.at(-1)).toBe('rts');
    expect(permutive.slice(0, -1)).toEqual(stored);
    expect(permutive).toContain('20401');
    expect(others).toMatchObject({
      puid: [pageview.user_id],
      ptime: [expect.stringMatching(/^\d{13}$/)],
      prmtvsdk: ['web'],
      prmtvvid: [pageview.view_id],
      prmtvwid: [project.workspaceId],
    });
  });

  test('does well on a page that has no ad server', async () => {
    const { visitor } = await visit('/?gpt=none');
    await stage.untilEntered(20401);
    expect(parsed((await visitor.storage())['_pdfps'])).toContain('20401');
  });
});

describe('The second page view', () => {
  const stage = stageForTests();

  const firstVisit = async (path: string): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.open(path);
    await visitor.ready();
    await stage.untilEntered(20401);
    return visitor;
  };

  test('is of the same user and session, and a view of its own', async () => {
    const visitor = await firstVisit('/blank');
    await visitor.open('/blank');
    const [first, second] = await stage.untilArrived('Pageview', 2);
    expect(second).toMatchObject({ user_id: first!.user_id, session_id: first!.session_id });
    expect(second?.view_id).toMatch(uuid);
    expect(second?.view_id).not.toBe(first!.view_id);
  });

  test('goes on counting', async () => {
    const visitor = await firstVisit(savings);
    await stage.untilQuiet();
    const before = numbersOf(await stage.arrived('SegmentEntry'));
    expect(before).not.toContain(20112);
    expect(before).not.toContain(20403);
    await visitor.open(gigWork);
    await visitor.ready();
    await until(async () => {
      const entries = numbersOf(await stage.arrived('SegmentEntry')).filter((code) => !before.includes(code));
      return entries.includes(20403) && entries.includes(20112) ? true : undefined;
    }, 'entries of the second page view');
    expect(await visitor.ask((permutive) => permutive.segment(20112))).toBe(true);
    await stage.untilQuiet();
    const all = numbersOf(await stage.arrived('SegmentEntry'));
    expect(all).toEqual([...new Set(all)]);
  });

  test('counts a short first one once', async () => {
    const visitor = await firstVisit('/blank');
    await visitor.open('/blank');
    await visitor.ready();
    await until(
      async () => ((await visitor.ask((permutive) => permutive.segment(20403))) ? true : undefined),
      'the cohort of two page views',
    );
    await stage.untilQuiet();
    // Of three page views, and there were two.
    expect(await visitor.ask((permutive) => permutive.segment(20402))).toBe(false);
    await visitor.open('/blank');
    await until(
      async () =>
        (await stage.arrived('SegmentEntry')).some(({ properties }) => properties['segment_number'] === 20402)
          ? true
          : undefined,
      'the cohort of three page views',
    );
  });

  test('carries the cohorts of the first', async () => {
    const visitor = await firstVisit(savings);
    await stage.untilQuiet();
    const codes = await visitor.ask((permutive) => permutive.segments());
    await visitor.open('/blank');
    const [, second] = await stage.untilArrived('Pageview', 2);
    expect([...second!.segments].sort()).toEqual(numbersAmong(codes).sort());
  });

  test('serves its first ads with the cohorts of the last page, and says rts once they are its own', async () => {
    const visitor = await firstVisit(savings);
    // Ads that come into view make a member of more.
    await stage.untilQuiet();
    const stored = codesForGoogle(await visitor.storage());
    const release = await visitor.hold(workerFile);
    const worker = visitor.page.waitForRequest(workerFile);
    await visitor.open(gigWork, loadedWithoutWorker);
    await worker;
    const before = await until(async () => {
      const targeting = await visitor.targeting();
      return 'prmtvsdk' in targeting ? targeting : undefined;
    }, 'targeting before the engine');
    expect(before['permutive']).toEqual(stored);
    release();
    await visitor.ready();
    const after = (await visitor.targeting())['permutive'] ?? [];
    expect(after.at(-1)).toBe('rts');
    expect(after).toEqual(expect.arrayContaining(['20403', '20112']));
  });

  test('begins after the first is complete', async () => {
    const visitor = await firstVisit('/blank');
    await stage.untilQuiet();
    const entered = numbersOf(await stage.arrived('SegmentEntry'));
    const numbers = numbersAmong(entered);
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
    expect([...SegmentEntry].sort()).toEqual(numbers.sort());
    expect([...CohortEntry].sort()).toEqual(entered.map(String).sort());
  });

  test('is complete when the tab is closed', async () => {
    const visitor = await firstVisit('/blank');
    await visitor.page.close({ runBeforeUnload: true });
    await stage.untilArrived('PageviewComplete');
  });
});

describe('Engagement', () => {
  const stage = stageForTests();

  type Presence = 'active' | 'idle' | 'in the background';
  const engaged = async (presence: Presence): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const visitor = await stage.visitor();
    if (presence === 'in the background') {
      await visitor.page.addInitScript(() => {
        Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
        Object.defineProperty(document, 'hidden', { get: () => true });
      });
    }
    await visitor.open(savings);
    await visitor.ready();
    // Engagement is counted from the page view on.
    const [view] = await until(async () => {
      const views = await visitor.heard('Pageview');
      return views.length > 0 ? views : undefined;
    }, 'the Pageview');
    const end = Date.parse(view!.time) + 10_900;
    const told = async (): Promise<number> => (await visitor.heard('PageviewEngagement')).length;
    // A loaded machine moves the mouse so late that some seconds do not count.
    const isOver = async (): Promise<boolean> =>
      Date.now() >= end && (presence !== 'active' || (await told()) >= 2 || Date.now() >= end + 30_000);
    while (!(await isOver())) {
      if (presence !== 'idle') await visitor.page.mouse.move(Math.random() * 500, Math.random() * 500);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return (await visitor.heard('PageviewEngagement')).map(({ properties }) => properties);
  };

  test('is told every five seconds of activity, to the page and not to the server', async () => {
    const [active, idle, hidden] = await Promise.all([
      engaged('active'),
      engaged('idle'),
      engaged('in the background'),
    ]);
    expect(active).toHaveLength(2);
    expect(active).toMatchObject([
      { engaged_time: 5, total_engaged_time: 5, type: 'article', article: { section: 'Personal Finance' } },
      { engaged_time: 5, total_engaged_time: 10 },
    ]);
    for (const { completion, total_completion } of active) {
      expect(completion).toBeGreaterThanOrEqual(0);
      expect(total_completion).toBeGreaterThan(0);
      expect(total_completion).toBeLessThanOrEqual(1);
    }
    expect(idle).toEqual([]);
    expect(hidden).toEqual([]);
    expect(await stage.arrived('PageviewEngagement')).toEqual([]);
    // Ten seconds with an article lead to a cohort: what is not uploaded is evaluated all the same.
    const entries = await until(async () => {
      const found = numbersOf(await stage.arrived('SegmentEntry'));
      return found.includes(20407) ? found : undefined;
    }, 'the cohort of ten seconds');
    expect(entries.filter((code) => code === 20407)).toHaveLength(1);
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
    await stage.untilQuiet();
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
    expect((await stage.arrived('PageviewComplete')).map(({ view_id }) => view_id).sort()).toEqual(
      views.slice(0, 4).sort(),
    );
  });
});
