import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';

import { cookbookProject } from '../../scripts/cookbook';
import { frameOf, openTab, untilText } from './support/inspector';
import { launchBrowser } from './support/launchBrowser';
import { type PublisherFolder, publisherFolder, type ServedFolder } from './support/publisherFolder';
import { until } from './support/until';
import { untilRefused } from './support/untilRefused';
import { newVisitor, scriptFile, type Visitor } from './support/visitor';

jest.setTimeout(600_000);

/** What a page tells of itself. */
interface Told {
  readonly page?: object;
  /** The page's clock is behind by these hours, which is a visit of the past. */
  readonly hoursAgo?: number;
  /** Further text of the address. */
  readonly query?: string;
}

let folder: PublisherFolder;
let browser: Browser;
let definition: string;
beforeAll(async () => {
  folder = publisherFolder();
  browser = await launchBrowser();
  folder.run('init', '--yes', '--site', 'The Reader', '--ads', 'none');
  definition = folder.read('project.ts');
});
afterAll(async () => {
  await browser.close();
  await folder.remove();
});

/** A visitor of a page of the folder; the visit ends with the test. */
const visitors: Visitor[] = [];
afterEach(async () => {
  const ended = visitors.splice(0);
  await Promise.all(ended.map(({ context }) => context.close()));
  expect(ended.flatMap(({ errors }) => errors)).toEqual([]);
});
const arrives = async ({ address }: ServedFolder): Promise<Visitor> => {
  const visitor = await newVisitor(browser, new URL(address).origin);
  visitors.push(visitor);
  return visitor;
};

describe('A new project, served by the installed command', () => {
  it('has the inspector on its page, and has a new cohort there after a save', async () => {
    folder.write('project.ts', definition);
    const served = await folder.serve('project.ts');
    // A browser that may choose how long it keeps a file keeps an old one longer.
    folder.makeOld('dist');
    const visitor = await arrives(served);
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(request.url()));
    const shown = (): Promise<string> => visitor.page.locator('output').innerText();
    const untilShown = (words: string): Promise<unknown> =>
      until(async () => (await shown()).includes(words) || undefined, `${words} on the page`);

    await visitor.page.goto(served.address);
    const inspector = await frameOf(visitor);
    await openTab(inspector, 'Cohorts');
    await untilText(inspector, 'Sport fans');
    await untilShown('none yet');
    for (let i = 0; i < 2; i++) {
      await visitor.page.reload();
      await visitor.ready();
    }
    // The page says once what it has found. What the page before has left may be counted a moment later.
    await until(async () => {
      if ((await shown()).includes('20101')) return true;
      await visitor.page.reload();
      await visitor.ready();
      return undefined;
    }, '20101 on the page');

    const before = served.said();
    folder.write(
      'project.ts',
      definition.replace('queries: [', `queries: [{ id: '20104', name: 'Anybody', q: { event: 'Pageview' } },`),
    );
    await until(() => /^Built in/m.test(served.said().slice(before.length)) || undefined, 'another build', 170_000);
    await visitor.page.reload();
    await untilShown('20104');
    const again = await frameOf(visitor);
    await openTab(again, 'Cohorts');
    await untilText(again, 'Anybody');
    // The folder needs no network.
    expect(asked.filter((url) => /^https?:/.test(url) && new URL(url).hostname !== 'localhost')).toEqual([]);
  });
});

describe('A new project of a site with a consent platform', () => {
  it('passes the check, and its page stores and asks nothing before the visitor agrees', async () => {
    folder.run('init', 'consented', '--yes', '--ads', 'none', '--cmp', 'onetrust');
    expect(folder.run('check', 'consented/project.ts')).toBe('3 cohorts, 0 warnings\n');
    folder.write('project.ts', folder.read('consented/project.ts'));
    folder.write('consented.html', folder.read('consented/index.html'));
    const visitor = await arrives(await folder.serve('project.ts'));
    await visitor.open('/consented.html');
    await visitor.untilWarned('No consent to run on the page');
    expect([await visitor.storage(), visitor.batches]).toEqual([{}, []]);
    await visitor.page.getByRole('button', { name: 'Agree' }).click();
    await until(async () => (await visitor.page.locator('output').innerText()) === 'none yet' || undefined, 'cohorts');
    await visitor.page.getByRole('button', { name: 'Refuse' }).click();
    await untilRefused(visitor);
    expect(await visitor.storage()).toEqual({ 'permutive-consent': '{"opt_in":false}' });
  });
});

describe('An experiment with all visitors', () => {
  const cohort = '20104';
  /** The server of `dev` finds a cohort of a model too. */
  const withCohort = expect.arrayContaining([cohort]) as unknown;
  const withGroup = (percent: number): string =>
    definition
      .replace(
        'queries: [',
        `controlGroup: { percent: ${percent}, salt: 'spring' },
  platformCohorts: { dfp: [${cohort}] },
  queries: [{ id: '${cohort}', name: 'Anybody', q: { event: 'Pageview' } },`,
      )
      .replace('addons: { web: {}', 'addons: { web: {}, dfp: {}');
  const withTag = (): void => {
    const targeting = new Map<string, unknown>();
    const pubads = {
      setTargeting: (key: string, value: unknown) => targeting.set(key, value),
      clearTargeting: (key: string) => targeting.delete(key),
      addEventListener: () => undefined,
      getSlots: () => [],
    };
    Object.assign(window, {
      targeting,
      googletag: { cmd: { push: (run: () => void) => run() }, pubads: () => pubads },
    });
  };

  /** What a visitor of the project is told, and what of them is uploaded. */
  const visitOf = async (project: string) => {
    folder.write('project.ts', project);
    const visitor = await arrives(await folder.serve('project.ts'));
    type Uploaded = { readonly name: string; readonly cohorts: readonly string[]; readonly experiment_group?: string };
    const uploaded: Uploaded[] = [];
    visitor.page.on('request', (request) => {
      if (request.url().includes('/batch/events')) uploaded.push(...(request.postDataJSON() as Uploaded[]));
    });
    await visitor.page.addInitScript(withTag);
    await visitor.open('/index.html');
    await visitor.ready();
    const entry = await until(() => uploaded.find(({ name }) => name === 'SegmentEntry'), 'an uploaded SegmentEntry');
    const told = await visitor.page.evaluate(() => {
      const { targeting } = window as unknown as { targeting: ReadonlyMap<string, unknown> };
      const shared = Object.entries(localStorage).filter(([key]) => !key.startsWith('permutive-'));
      return { targeting: Object.fromEntries(targeting), stored: JSON.stringify([shared, document.cookie]) };
    });
    const segments = await visitor.ask((permutive) => permutive.segments());
    const why = await visitor.ask((permutive) => (permutive as unknown as WithExplain).explain('20104'));
    const findings = await visitor.ask((permutive) => (permutive as unknown as WithExplain).doctor());
    await until(async () => (await visitor.storage())['permutive-group'], 'the stored group');
    // The next page, whose head has the companion, and whose SDK has not come yet.
    await visitor.page.route(scriptFile, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await visitor.open('/index.html');
    const [workspaceId = ''] = /[\da-f-]{36}/.exec(project) ?? [];
    await visitor.page.addScriptTag({ content: folder.read(`dist/${workspaceId}-companion.js`) });
    const first = await visitor.page.evaluate(() =>
      Object.fromEntries((window as unknown as { targeting: ReadonlyMap<string, unknown> }).targeting),
    );
    return { entry, ...told, segments, why, first, health: findings.filter(({ where }) => where === 'experiment') };
  };

  it('tells nobody of a cohort, but the collector and who asks for the reason', async () => {
    const { entry, targeting, stored, segments, why, first, health } = await visitOf(withGroup(100));
    expect(entry).toMatchObject({ cohorts: withCohort, experiment_group: 'control' });
    expect(targeting).toMatchObject({ permutive: ['rts'], prmtvexp: 'control' });
    expect(stored).not.toContain(cohort);
    expect(first).toMatchObject({ puid: expect.any(String) as unknown, prmtvexp: ['control'] });
    expect(first).not.toHaveProperty('permutive');
    expect(segments).toEqual([]);
    expect(why).toContain('The visitor is in the control group');
    expect(health.map(({ finding }) => finding)).toEqual([
      expect.stringMatching(/^The visitor is in the control group/),
    ]);
  });

  it('tells of the cohort where nobody is in the control group', async () => {
    const { entry, targeting, stored, segments, why, first } = await visitOf(withGroup(0));
    expect(entry).toMatchObject({ cohorts: withCohort, experiment_group: 'exposed' });
    expect(targeting).toMatchObject({
      permutive: expect.arrayContaining([cohort, 'rts']) as unknown,
      prmtvexp: 'exposed',
    });
    expect(stored).toContain(cohort);
    expect(first).toMatchObject({ permutive: expect.arrayContaining([cohort]) as unknown, prmtvexp: ['exposed'] });
    expect(segments).toContain(Number(cohort));
    expect(why).toContain('The visitor is in the exposed group');
  });
});

describe('Cohorts of the cookbook, checked, built and served by the installed command', () => {
  const cookbook = cookbookProject(readFileSync(resolve(__dirname, '../../docs/cookbook.md'), 'utf8'));
  const model = '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
  const ids = [
    ...['20201', '20203', '20205', '20206', '20210', '20215', '20222', '20225', '20229', '20231', '20233'],
  ] as const;
  let served: ServedFolder;

  beforeAll(async () => {
    const [workspaceId = ''] = /[\da-f-]{36}/.exec(folder.read('project.ts')) ?? [];
    folder.write('keywords.txt', Array.from({ length: 2000 }, (_, i) => `keyword ${i}`).join('\n'));
    const hashed = JSON.parse(folder.run('hash', 'keywords.txt', '--kind', 'in')) as { readonly in: readonly number[] };
    expect(hashed.in).toHaveLength(2000);
    const queries = cookbook.queries
      .filter(({ id }) => (ids as readonly string[]).includes(id))
      // The list of the page has three words in place of thousands.
      .map((query) =>
        query.id === '20215'
          ? (JSON.parse(
              JSON.stringify(query).replace(/"in":\[[^\]]*\]/, `"in":${JSON.stringify(hashed.in)}`),
            ) as typeof query)
          : query,
      );
    expect(queries.map(({ id }) => id).sort()).toEqual([...ids]);
    folder.write(
      'cookbook.json',
      JSON.stringify({
        ...{ workspaceId, organizationId: 'The Reader', apiKey: workspaceId, config: {}, queries },
        ...{ addons: { web: {}, ctv: {} }, activations: {}, cohortCodes: {}, platformCohorts: {} },
        ...{ optimisedActivationsConfig: {}, models: { [model]: 20299 }, tpdProviders: ['acme'], identityTags: [] },
      }),
    );
    expect(folder.run('check', 'cookbook.json')).toBe('11 cohorts, 0 warnings\n');
    folder.write('models/v2/weights.csv', `${model},const,-2\n${model},20205,4\n`);
    folder.run('models', 'models/v2/weights.csv', '--out', `models/v2/${workspaceId}-models.bin`);
    const page = folder
      .read('index.html')
      .replace(`{ article: { section: 'sport' } }`, `JSON.parse(given.get('page'))`)
      .replace(
        '<script>',
        `<script>
          const given = new URLSearchParams(location.search);
          const now = Date.now;
          const behind = Number(given.get('hours')) * 3600000;
          Date.now = () => now() - behind;
        </script><script>`,
      )
      .replace('</body>', '<div style="height: 3000px"></div></body>');
    folder.write('article.html', page);
    served = await folder.serve('cookbook.json');
  });

  interface Reader extends Visitor {
    /** Opens a page of the folder, and waits until the SDK knows the page's cohorts. */
    readonly reads: (told?: Told) => Promise<void>;
  }

  /** A visitor of Canada whom Acme has in this segment. */
  const reader = async (segment = '1'): Promise<Reader> => {
    const visitor = await arrives(served);
    const headers = { 'access-control-allow-origin': '*' };
    await visitor.page.route('**/geoip*', (route) =>
      route.fulfill({ headers, json: { geo_info: { country: 'CA' }, isp_info: null } }),
    );
    await visitor.page.route('**/audience-matching/**', (route) =>
      route.fulfill({ headers, json: { items: [{ provider: 'acme', segments: [segment] }] } }),
    );
    const reads = async ({ page = {}, hoursAgo = 0, query = '' }: Told = {}): Promise<void> => {
      const told = new URLSearchParams({ page: JSON.stringify(page), hours: String(hoursAgo) }).toString();
      await visitor.open(`/article.html?${told}${query}`);
      await visitor.ready();
      // The engine answers once it has seen the page.
      await visitor.ask((permutive) => (permutive as unknown as WithExplain).explain('20201'));
    };
    return { ...visitor, reads };
  };

  /** What pages tell of their articles. */
  const article = (section: string, others: object = {}): object => ({ article: { section, ...others } });

  /** Leaves five articles: so many of them were read to their end, and of the others is seen what the window shows. */
  const leavesFive = async (visitor: Reader, whole: number): Promise<void> => {
    for (let i = 0; i < 5; i++) {
      await visitor.reads();
      if (i >= whole) continue;
      await visitor.page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            document.addEventListener('scroll', () => resolve(), { once: true });
            scrollTo(0, document.body.scrollHeight);
          }),
      );
    }
    await visitor.reads();
    const events = await visitor.ask((permutive) => (permutive as unknown as WithExplain).explain('20210'));
    expect(events).toContain('PageviewComplete');
  };
  /** A subscriber watches this part of a minute's video on the page. */
  const watches = async (visitor: Reader, share: number): Promise<void> => {
    await visitor.track('LoginStatus', { logged_in: true, subscriber: true });
    await visitor.ask((permutive, part) => {
      type Video = Readonly<Record<'play' | 'stop', (position: number) => void>>;
      permutive.addon('ctv', { duration: 60_000, videoProperties: { title: 'Copper' } });
      const video = permutive.addons['ctv'] as Video;
      video.play(0);
      video.stop(60_000 * part);
    }, share);
    await until(async () => ((await visitor.heard('VideoCompletion')).length > 0 ? true : undefined), 'the completion');
  };

  const member = (visitor: Visitor, id: string): Promise<boolean> =>
    visitor.ask(async (permutive, cohort) => (await permutive.segments()).map(String).includes(cohort), id);

  type Id = (typeof ids)[number];
  /** Waits until the visitor is in each of these. */
  const untilIn = async (visitor: Visitor, ...wanted: readonly Id[]): Promise<void> => {
    for (const id of wanted) await until(async () => (await member(visitor, id)) || undefined, `membership of ${id}`);
  };
  /** The visitor lacks one thing for each of these. */
  const expectShort = async (visitor: Visitor, ...wanted: readonly Id[]): Promise<void> => {
    for (const id of wanted) {
      // A round to the engine, behind everything that it was told. Data that the cohort looks up may be on its way.
      await until(async () => {
        const text = await visitor.ask((permutive, code) => (permutive as unknown as WithExplain).explain(code), id);
        return text?.includes('Data is pending') === false || undefined;
      }, 'the data');
      expect([id, await member(visitor, id)]).toEqual([id, false]);
    }
  };

  it('has a visitor who is in those of sections, days, articles, keywords, links, videos and places', async () => {
    const visitor = await reader('48214');
    await visitor.reads({ page: article('sport', { keywords: ['Keyword 17'] }), hoursAgo: 48 });
    await visitor.reads({ page: article('sport', { keywords: ['other', 'keyword  1999'] }), hoursAgo: 24 });
    await visitor.reads({ page: article('sport', { id: 'a' }), query: '&utm_medium=newsletter' });
    await visitor.reads({ page: article('sport', { id: 'b' }) });
    await visitor.reads({ page: article('sport', { id: 'a' }) });
    await watches(visitor, 0.75);
    await untilIn(visitor, '20201', '20203', '20206', '20215', '20222', '20225', '20229', '20231');
  });

  it('has a visitor who lacks one thing for each of them', async () => {
    const visitor = await reader('48215');
    const old = { hoursAgo: 24, query: '&utm_medium=newsletter' };
    await visitor.reads({ page: article('sport', { keywords: ['Keyword 17'] }), ...old });
    await visitor.reads({ page: article('sport', { id: 'a', keywords: ['keyword 2000'] }) });
    await visitor.reads({ page: article('arts', { id: 'b' }) });
    await expectShort(visitor, '20201');
    await visitor.reads({ page: article('sport', { id: 'c' }) });
    await watches(visitor, 0.74);
    // Of the third page of sport, the pages of the arts are the one thing.
    await untilIn(visitor, '20201');
    await expectShort(visitor, '20203', '20206', '20215', '20222', '20225', '20229', '20231');
  });

  it('has a visitor of ten pages who has read two of the first five to their end', async () => {
    const visitor = await reader();
    await leavesFive(visitor, 2);
    await untilIn(visitor, '20210');
    for (let page = 7; page <= 10; page += 1) await visitor.reads();
    await untilIn(visitor, '20205', '20233');
  });

  it('has a visitor of nine pages who has read one of the first five to its end', async () => {
    const visitor = await reader();
    await leavesFive(visitor, 1);
    await expectShort(visitor, '20210');
    for (let page = 7; page <= 9; page += 1) await visitor.reads();
    await expectShort(visitor, '20205', '20233');
  });
});

interface WithExplain {
  readonly explain: (code: string) => Promise<string | null>;
  readonly doctor: () => Promise<readonly { readonly where: string; readonly finding: string }[]>;
}
