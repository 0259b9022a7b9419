import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { isAbsolute, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { loadProject } from '../../../project/loadProject';
import { experimentOf } from '../../../src/contracts/experiment';
import type { Definition } from '../../../src/engine/language/language';
import type {
  Checked,
  Comparison,
  Conflict,
  Found,
  Published,
  Refusal,
  SizeLine,
  StudioProject,
  Visitor,
  Vocabulary,
} from '../../../studio/protocol';
import { type RunningStudio, startStudio, type StudioOptions } from '../../../studio/server/startStudio';
import { definition, folderWith } from '../../command/support/called';

const token = 'the-token-of-the-test';
const running: RunningStudio[] = [];
afterEach(async () => {
  for (const studio of running.splice(0)) await studio.close();
});

/** A server on a folder with these files, and calls of it. */
const opened = async (files: Readonly<Record<string, string>>, changes: Partial<StudioOptions> = {}) => {
  const folder = folderWith({ 'page/index.html': '<h1>Studio</h1>', ...files });
  const file = join(
    folder,
    Object.keys(files).find((name) => name.startsWith('project.'))!,
  );
  const options = { folder, file, port: 0, page: join(folder, 'page'), token, ...changes };
  const data = options.data === undefined || isAbsolute(options.data) ? {} : { data: join(folder, options.data) };
  const studio = await startStudio({ ...options, ...data });
  running.push(studio);
  const { origin } = new URL(studio.address);
  const send = (name: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${origin}/api/${name}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-studio-token': token, ...headers },
    });
  const call = async <Answer>(name: string, body: unknown = {}): Promise<Answer> => {
    const answer = await send(name, body);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    return JSON.parse(text) as Answer;
  };
  const size = async (given: Definition): Promise<readonly SizeLine[]> =>
    (await (await send('size', { definition: given })).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SizeLine);
  return { folder, file, origin, send, call, size, address: studio.address };
};

/** What the stream of changes tells, from the call on. */
const changesOf = async (origin: string) => {
  const events = await fetch(`${origin}/api/changes?token=${token}`);
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  const untilTold = async (): Promise<void> => {
    for (let told = ''; !told.includes('event: project');) told += (await reader.read()).value ?? '';
  };
  return { reader, untilTold, close: () => reader.cancel() };
};

const sport: Definition = {
  id: '20101',
  name: 'Sport fans',
  q: { event: 'Pageview', where: { p: 'article.section', eq: 'sport' }, is: { gte: 2 } },
  activations: { dfp: { trigger: 'EveryTime' } },
};

describe('access', () => {
  const statusOf = (origin: string, path: string, headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((done, fail) => {
      const { hostname, port } = new URL(origin);
      const given = { 'content-type': 'application/json', 'x-studio-token': token, ...headers };
      request({ hostname, port, path, method: 'POST', headers: given }, (answer) => {
        answer.resume();
        done(answer.statusCode);
      })
        .on('error', fail)
        .end('{}');
    });

  it('is for the page of this machine with the token', async () => {
    const { origin, send, address } = await opened({ 'project.json': definition() });
    const { host } = new URL(origin);
    expect(address).toBe(`http://${host}/#token=${token}`);
    expect(await statusOf(origin, '/api/project', {})).toBe(200);
    expect(await statusOf(origin, '/api/project', { origin })).toBe(200);
    expect(await statusOf(origin, '/api/project', { host: 'rebound.example' })).toBe(403);
    expect(await statusOf(origin, '/api/project', { origin: 'https://elsewhere.example' })).toBe(403);
    // Another server of this machine is another origin.
    expect(await statusOf(origin, '/api/project', { origin: 'http://localhost:1' })).toBe(403);
    expect(await statusOf(origin, '/api/project', { origin: 'null' })).toBe(403);
    expect(await statusOf(origin, '/api/project', { 'x-studio-token': 'wrong' })).toBe(403);
    expect(await statusOf(origin, '/api/project', { 'x-studio-token': '' })).toBe(403);
    expect((await fetch(`${origin}/api/changes?token=wrong`)).status).toBe(403);
    expect((await send('project', {}, { 'content-type': 'text/plain' })).status).toBe(400);
    expect((await send('project', '{"a":')).status).toBe(400);
    expect((await send('project', '[]')).status).toBe(400);
    expect((await send('save', { version: 1 })).status).toBe(400);
    expect((await send('find', { definition: sport, who: 'members', limit: 1000 })).status).toBe(400);
    expect((await send('project', `"${'x'.repeat(9 * 1024 * 1024)}"`)).status).toBe(413);
    expect((await send('nothing', {})).status).toBe(404);
  });

  it('gives the page a policy, and no file outside of its folder', async () => {
    const { origin } = await opened({ 'project.json': definition(), secret: 'secret' });
    const page = await fetch(`${origin}/`);
    expect(await page.text()).toBe('<h1>Studio</h1>');
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
    for (const path of ['/..%2fproject.json', '/%2e%2e/project.json', '/project.json', '/secret'])
      expect((await fetch(origin + path)).status).toBe(404);
  });
});

describe('the project', () => {
  it('is what the file says, with the line of each cohort', async () => {
    const text = JSON.stringify(JSON.parse(definition({ cohortCodes: { 20101: 'abcd' } })), null, 2);
    const { call } = await opened({ 'project.json': text });
    const project = await call<StudioProject>('project');
    expect(project).toMatchObject({ file: 'project.json', findings: [], codes: { 20101: 'abcd' } });
    expect(project.cohorts.map(({ definition: { id }, fixed }) => [id, fixed])).toEqual([
      ['20101', undefined],
      ['20102', undefined],
    ]);
    expect(project.cohorts[0]!.line).toBe(text.slice(0, text.indexOf('"id": "20101"')).split('\n').length - 1);
    expect(project.visits).toBeUndefined();
    expect(project.published).toBeUndefined();
  });

  it('is saved as it was formatted, and not over a change of somebody else', async () => {
    const text = JSON.stringify(JSON.parse(definition()), null, 4);
    const { call, send, file } = await opened({ 'project.json': text });
    const { version } = await call<StudioProject>('project');
    const mode = statSync(file).mode;
    const renamed = { ...sport, name: 'Fans' };
    const after = await call<StudioProject>('save', { version, id: sport.id, definition: renamed });
    expect(readFileSync(file, 'utf8')).toBe(text.replace('Sport fans', 'Fans'));
    expect(statSync(file).mode).toBe(mode);
    expect(after.version).not.toBe(version);

    const stale = await send('save', { version, id: sport.id, definition: sport });
    expect(stale.status).toBe(409);
    expect(((await stale.json()) as Conflict).project.version).toBe(after.version);

    writeFileSync(file, text);
    const outside = await send('save', { version: after.version, id: sport.id, definition: renamed });
    expect(outside.status).toBe(409);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('adds and removes cohorts, and refuses what the file cannot have', async () => {
    const { call, send, file } = await opened({
      'project.json': definition({ rules: { 30001: { t: 1, kw: ['a'], p: ['article.keywords'] } } }),
    });
    let project = await call<StudioProject>('project');
    const rule = project.cohorts.find(({ definition: { id } }) => id === '30001');
    expect(rule?.fixed).toContain('rule');
    const added = { id: 'new', q: { event: 'Login' } };
    project = await call<StudioProject>('save', { version: project.version, definition: added });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ queries: [{}, {}, added] });
    project = await call<StudioProject>('save', { version: project.version, id: '20102' });
    expect(project.cohorts.map(({ definition: { id } }) => id)).toEqual(expect.arrayContaining(['20101', 'new']));
    const before = readFileSync(file, 'utf8');
    for (const wrong of [
      { id: 'unknown', definition: added },
      { id: 'new', definition: { ...added, id: '20101' } },
      { definition: added },
      { id: 'new', definition: { id: 'new', q: { event: 1 } } },
      { id: '30001', definition: { ...added, id: '30001' } },
    ])
      expect((await send('save', { version: project.version, ...wrong })).status).toBe(400);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('has the entries of each cohort, and changes them where the file has them as data', async () => {
    const told = { 20101: [{ segtax: 4, id: '607' }] };
    const text = JSON.stringify(
      JSON.parse(definition({ taxonomies: told, pps: { IAB_CONTENT_2_2: { 20101: '483' } } })),
      null,
      2,
    );
    const { call, send, file } = await opened({ 'project.json': text });
    const buyersOf = ({ cohorts }: StudioProject) => cohorts.map(({ buyers }) => buyers);
    const before = await call<StudioProject>('project');
    expect(buyersOf(before)).toEqual([
      { entries: told[20101], older: [{ segtax: 6, id: '483' }] },
      { entries: [], older: [] },
    ]);
    // Nothing was published yet.
    expect((await call<Comparison>('compare')).changes.map(({ id, detail }) => `${id}: ${detail}`)).toEqual(
      expect.arrayContaining(['20101: entry 4:607, Interest > Sports', '20101: entry 6:483, Sports']),
    );
    const entry = { segtax: 600, id: 'x' };
    const set = (id: string, isWanted: boolean) =>
      call<StudioProject>('entry', { id, entry: { ...entry, name: 'Else' }, isWanted });
    expect(buyersOf(await set('20101', true))[0]!.entries).toEqual([...told[20101], entry]);
    const added = await set('20102', true);
    expect(buyersOf(added)[1]).toEqual({ entries: [entry], older: [] });
    expect(added.version).not.toBe(before.version);
    // What is so already stays as it is.
    const { ino } = statSync(file);
    expect([(await set('20102', true)).version, statSync(file).ino]).toEqual([added.version, ino]);
    const other = { id: '20102', entry: { ...entry, segtax: 601 }, isWanted: false };
    expect((await call<StudioProject>('entry', other)).version).toBe(added.version);
    await set('20102', false);
    expect((await set('20101', false)).version).toBe(before.version);
    expect(readFileSync(file, 'utf8')).toBe(text);
    for (const wrong of [
      { id: 'unknown', entry, isWanted: true },
      { id: '20101', entry: { segtax: '4', id: '1' }, isWanted: true },
      { id: '20101', entry },
    ])
      expect((await send('entry', wrong)).status).toBe(400);

    writeFileSync(file, text.replace('"segtax": 4', '"segtax": "4"'));
    expect(buyersOf(await call<StudioProject>('project'))[0]).toEqual({
      entries: [],
      older: [{ segtax: 6, id: '483' }],
      fixed: 'What the file has for this cohort under `taxonomies` is no list of entries.',
    });
    expect((await send('entry', { id: '20101', entry, isWanted: true })).status).toBe(400);
    writeFileSync(file, '{');
    expect(buyersOf(await call<StudioProject>('project'))[0]!.fixed).toBe('The file cannot be read at present.');
  });

  it('tells of examples that others write, in a folder that comes and goes', async () => {
    const { origin, call, folder } = await opened({ 'project.json': definition() });
    const { untilTold, close } = await changesOf(origin);
    const names = async () => (await call<StudioProject>('project')).cohorts[0]!.examples.map(({ name }) => name);
    const file = join(folder, 'examples', `${sport.id}.json`);
    const write = (...all: readonly string[]): void =>
      writeFileSync(file, JSON.stringify(all.map((name) => ({ name, at: 1, isMember: false, events: [] }))));
    for (const [first, second] of [
      ['a', 'b'],
      ['c', 'd'],
    ] as const) {
      mkdirSync(join(folder, 'examples'));
      write(first);
      await untilTold();
      expect(await names()).toEqual([first]);
      write(first, second);
      await untilTold();
      expect(await names()).toEqual([first, second]);
      rmSync(join(folder, 'examples'), { recursive: true });
      await untilTold();
      expect(await names()).toEqual([]);
    }
    await close();
  });

  it('tells of changes on disk, and keeps the last cohorts in sight while the file is wrong', async () => {
    const { origin, call, file } = await opened({ 'project.json': definition() });
    await call('project');
    const { reader, untilTold, close } = await changesOf(origin);
    expect((await reader.read()).value).toContain('event: alive');
    writeFileSync(file, '{ "queries": [');
    await untilTold();
    await close();
    const project = await call<StudioProject>('project');
    expect(project.findings).toHaveLength(1);
    expect(project.cohorts.map(({ fixed }) => fixed)).toEqual([
      'The file cannot be read at present.',
      'The file cannot be read at present.',
    ]);
    writeFileSync(file, definition());
    expect((await call<StudioProject>('project')).findings).toEqual([]);
  });
});

describe('check', () => {
  it('finds what is wrong with a draft, by paths within it, and says what it costs', async () => {
    const { call } = await opened({ 'project.json': definition() });
    const right = await call<Checked>('check', { id: sport.id, definition: sport });
    expect(right.findings).toEqual([]);
    expect(right.cost).toMatchObject({ bytes: expect.any(Number) as number, gzip: expect.any(Number) as number });
    const unread = await call<Checked>('check', { id: sport.id, definition: { id: sport.id, q: { evnt: 'x' } } });
    expect(unread.findings[0]!.path).toMatch(/^q/);
    expect(unread.cost).toBeUndefined();
    const taken = await call<Checked>('check', { definition: { ...sport, name: 'Again' } });
    expect(taken.findings.map(({ path }) => path)).toContain('id');
    const unknown = { ...sport, activations: { dpf: { trigger: 'EveryTime' } } };
    const found = await call<Checked>('check', { id: sport.id, definition: unknown });
    expect(found.findings.map(({ path }) => path)).toEqual(['activations/dpf']);
  });
});

const day = 86_400_000;
const monday = Date.UTC(2026, 8, 7);
/** Visitor `n` reads `n` pages on sport, one a day. */
const visits = Array.from({ length: 6 }, (_, n) =>
  Array.from({ length: n }, (__, i) =>
    JSON.stringify({
      user_id: `visitor-${n}`,
      name: 'Pageview',
      time: new Date(monday + i * day + 3_600_000).toISOString(),
      properties: { article: { section: 'sport', keywords: ['goal', 'cup'] } },
      session_id: `s${i}`,
      view_id: `v${i}`,
    }),
  ),
).flat();

describe('visits', () => {
  const files = { 'project.json': definition(), 'visits.ndjson': [...visits, 'no JSON', ''].join('\n') };

  it('are counted by day, with an estimate and overlaps', async () => {
    const { size, call } = await opened(files, { data: 'visits.ndjson' });
    const lines = await size(sport);
    expect(lines[0]).toMatchObject({ type: 'estimate', visitors: 5, members: 4, error: 0 });
    const sized = lines.at(-1);
    expect(sized).toMatchObject({
      type: 'sized',
      visitors: 5,
      members: 4,
      overlaps: [{ id: '20102', members: 5, both: 4 }],
    });
    expect(sized?.type === 'sized' && sized.days).toEqual([
      { day: '2026-09-07', visitors: 5, members: 0 },
      { day: '2026-09-08', visitors: 4, members: 4 },
      { day: '2026-09-09', visitors: 3, members: 4 },
      { day: '2026-09-10', visitors: 2, members: 4 },
      { day: '2026-09-11', visitors: 1, members: 4 },
    ]);
    expect((await call<StudioProject>('project')).visits).toBe(
      'visits.ndjson: 15 events of 5 visitors; 1 line left out, the first one because line 16 of the visits is no JSON',
    );
  });

  it('are counted by group, where the file has an experiment that is about the cohort', async () => {
    const controlGroup = { percent: 40, salt: 'salt 42', cohorts: [sport.id] };
    const { groupOf } = experimentOf(controlGroup);
    const inControl = [1, 2, 3, 4, 5].filter((n) => groupOf(`visitor-${n}`) === 'control');
    // Visitor 1 reads one page, which is too little for the cohort.
    expect(inControl).toEqual([1, 4]);
    const recorded = JSON.stringify({ lane: 'events', data: { name: 'Pageview', time: monday, properties: {} } });
    const { size, file } = await opened(
      { 'project.json': definition({ controlGroup }), 'visits.ndjson': [...visits, recorded].join('\n') },
      { data: 'visits.ndjson' },
    );
    const experiment = {
      percent: 40,
      control: { visitors: 2, members: 1 },
      exposed: { visitors: 3, members: 3 },
      unknown: 1,
    };
    const lines = await size(sport);
    expect(lines[0]).toMatchObject({ type: 'estimate', visitors: 6, members: 4, experiment });
    expect(lines.at(-1)).toMatchObject({ type: 'sized', visitors: 6, members: 4, experiment });
    const experimentFor = async (cohort: Definition): Promise<unknown> => {
      const last = (await size(cohort)).at(-1);
      return last?.type === 'sized' ? last.experiment : last;
    };
    expect(await experimentFor({ ...sport, id: '20102' })).toBeUndefined();
    writeFileSync(file, '{');
    expect(await experimentFor(sport)).toEqual(experiment);
    writeFileSync(file, definition());
    expect(await experimentFor(sport)).toBeUndefined();
  });

  it('have members that leave by time alone', async () => {
    const { size } = await opened(files, { data: 'visits.ndjson' });
    const brief: Definition = { id: 'brief', q: { event: 'Pageview', within: { hours: 12 }, buckets: 1000 } };
    const sized = (await size(brief)).at(-1);
    expect(sized?.type === 'sized' && sized.days.map(({ members }) => members)).toEqual([5, 4, 3, 2, 1]);
    expect(sized).toMatchObject({ members: 1 });
  });

  it('have visitors who are in a cohort, who are not, and who just miss it', async () => {
    const { call } = await opened(files, { data: 'visits.ndjson' });
    const three: Definition = { ...sport, q: { event: 'Pageview', is: { gte: 4 } } };
    const find = async (who: string, limit = 10) => {
      const { at, visitors } = await call<Found>('find', { definition: three, who, limit });
      expect(at).toBe(monday + 4 * day + 3_600_000);
      return visitors;
    };
    expect((await find('members')).map(({ id }) => id).sort()).toEqual(['visitor-4', 'visitor-5']);
    expect((await find('others')).map(({ id }) => id).sort()).toEqual(['visitor-1', 'visitor-2', 'visitor-3']);
    const near = await find('near', 2);
    expect(near.map(({ id, missing }) => [id, missing])).toEqual([
      ['visitor-3', '3 of 4 Pageview events'],
      ['visitor-2', '2 of 4 Pageview events'],
    ]);
    expect(near[0]).toMatchObject({ events: 3, from: monday + 3_600_000, to: monday + 2 * day + 3_600_000 });
    const { events } = await call<Visitor>('visitor', { id: 'visitor-2' });
    expect(events.map(({ name, time }) => [name, time])).toEqual([
      ['Pageview', monday + 3_600_000],
      ['Pageview', monday + day + 3_600_000],
    ]);
    await expect(call('visitor', { id: 'nobody' })).rejects.toThrow('400');
  });

  it('have the names, properties and values that were recorded, and measure a cohort', async () => {
    const { call, size } = await opened(files, { data: 'visits.ndjson' });
    await size(sport);
    const { events } = await call<Vocabulary>('vocabulary');
    expect(events).toMatchObject([{ name: 'Pageview', count: 15 }]);
    expect(events[0]!.properties).toContainEqual({
      path: 'article.keywords',
      types: ['list', 'string'],
      count: 15,
      values: ['goal', 'cup'],
    });
    expect((await call<Checked>('check', { id: sport.id, definition: sport })).cost?.eventUs).toBeGreaterThan(0);
  });

  it('may be compressed, and say so when they are not what their name promises', async () => {
    const folder = folderWith({ 'visits.ndjson.gz': gzipSync(visits.join('\n')), 'broken.gz': 'no gzip' });
    const open = async (name: string) => {
      const { call, size } = await opened({ 'project.json': definition() }, { data: join(folder, name) });
      return { size, said: async () => (await call<StudioProject>('project')).visits };
    };
    const right = await open('visits.ndjson.gz');
    expect((await right.size(sport)).at(-1)).toMatchObject({ type: 'sized', visitors: 5, members: 4 });
    const broken = await open('broken.gz');
    expect(await broken.size(sport)).toMatchObject([{ type: 'refused' }]);
    expect(await broken.said()).toMatch(/broken\.gz cannot be read \(.*incorrect header check\)/);
  });

  it('may be missing', async () => {
    const { size, send } = await opened({ 'project.json': definition() });
    expect(await size(sport)).toEqual([
      { type: 'refused', message: 'There are no visits to count. Start Studio with --data FILE or --nats URL.' },
    ]);
    const answer = await send('find', { definition: sport, who: 'members', limit: 1 });
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as Refusal).message).toContain('no visits');
  });
});

describe('examples', () => {
  it('are kept beside the definition, tested, and read again', async () => {
    const { call, folder, send } = await opened({ 'project.json': definition() });
    const events = [{ name: 'Pageview', time: monday, properties: { article: { section: 'sport' } } }];
    const examples = [
      { name: 'reads once', at: monday + 1, isMember: false, events },
      { name: 'wrong', at: monday + 1, isMember: true, events },
    ];
    const project = await call<StudioProject>('examples', { id: sport.id, examples });
    expect(project.cohorts[0]!.examples).toEqual(examples);
    expect(project.findings.map(({ path, severity }) => [path, severity])).toEqual([
      [`examples/${sport.id}/wrong`, 'error'],
    ]);
    expect(readFileSync(join(folder, 'examples', `${sport.id}.json`), 'utf8')).toMatch(/^\[\n {2}\{\n {4}"name"/);
    expect((await send('examples', { id: 'unknown', examples })).status).toBe(400);
    const late = [{ ...examples[0], at: monday - 1 }];
    expect((await send('examples', { id: sport.id, examples: late })).status).toBe(400);
  });
});

describe('what is published', () => {
  /** A server on a folder whose builds are one small file. */
  const publishing = async (files: Readonly<Record<string, string>>, options: Partial<StudioOptions> = {}) => {
    let builds = 0;
    const server = await opened(
      { 'project.json': definition(), ...files },
      {
        build: (out) => {
          builds++;
          mkdirSync(out, { recursive: true });
          writeFileSync(join(out, 'a-web.js'), `build ${builds}`);
          return loadProject(server.file);
        },
        plan: () => [{ file: 'a-web.js', contentType: 'text/javascript', cacheControl: 'no-cache' }],
        ...options,
      },
    );
    const previous = async (): Promise<string | undefined> => (await server.call<StudioProject>('project')).previous;
    return { ...server, previous, builds: () => builds };
  };

  it('is compared with the file, built aside, published and put back', async () => {
    const text = JSON.stringify(JSON.parse(definition()), null, 2);
    const files = { 'project.json': text, 'visits.ndjson': visits.join('\n'), 'dist/a-web.js': 'old' };
    const { call, folder, file, previous, builds } = await publishing(files, { data: 'visits.ndjson' });
    const built = (): string => readFileSync(join(folder, 'dist/a-web.js'), 'utf8');
    expect((await call<Comparison>('compare')).changes.map(({ id, what }) => [id, what])).toContainEqual([
      '20101',
      'added',
    ]);
    const dry = await call<Published>('publish', { step: 'dryRun' });
    expect(dry.files.map((each) => each.file)).toEqual(['a-web.js']);
    expect(built()).toBe('old');
    await call<Published>('publish', { step: 'publish' });
    // What the dry run has built is published.
    expect([built(), builds()]).toEqual(['build 1', 1]);
    expect(await previous()).toBe('the build that was there before');
    expect((await call<Comparison>('compare')).changes).toEqual([]);

    writeFileSync(file, text.replace('"gte": 2', '"gte": 4'));
    const { changes, visitors } = await call<Comparison>('compare');
    expect(visitors).toBe(5);
    expect(changes).toMatchObject([
      {
        id: '20101',
        what: 'meaning',
        detail: 'q/is/gte: 2 → 4',
        members: { before: 4, after: 2, entered: 0, left: 2 },
      },
    ]);
    await call<Published>('publish', { step: 'publish' });
    expect(await previous()).toMatch(/^the publication of .*Z$/);
    expect(built()).toBe('build 2');
    await call<Published>('publish', { step: 'back' });
    expect(built()).toBe('build 1');
    expect((await call<Comparison>('compare')).changes).toHaveLength(1);
    // A step back of the step back.
    await call<Published>('publish', { step: 'back' });
    expect(built()).toBe('build 2');
    expect((await call<Comparison>('compare')).changes).toEqual([]);
  });

  it('may be put back to nothing that was published, and to nothing at all not', async () => {
    const { call, send, folder, previous } = await publishing({});
    expect((await send('publish', { step: 'back' })).status).toBe(400);
    expect(await previous()).toBeUndefined();
    await call<Published>('publish', { step: 'publish' });
    expect(await previous()).toBeUndefined();
    expect((await send('publish', { step: 'back' })).status).toBe(400);
    expect(readFileSync(join(folder, 'dist/a-web.js'), 'utf8')).toBe('build 1');
  });

  it('is told to other windows', async () => {
    const { call, origin } = await publishing({});
    const { untilTold, close } = await changesOf(origin);
    await call<Published>('publish', { step: 'dryRun' });
    await call<Published>('publish', { step: 'publish' });
    await untilTold();
    await close();
    expect((await call<StudioProject>('project')).published).toMatch(/^the publication of /);
  });

  it('may be another file, which is named from the folder', async () => {
    const text = definition().replace('"gte":2', '"gte":4');
    const files = { 'project.json': definition(), 'live/definition.json': text };
    const folder = folderWith(files);
    const { call } = await opened(files, { folder, published: join(folder, 'live/definition.json') });
    expect((await call<StudioProject>('project')).published).toBe(join('live', 'definition.json'));
    expect((await call<Comparison>('compare')).changes).toEqual([
      { id: '20101', what: 'meaning', detail: 'q/is/gte: 4 → 2' },
    ]);
  });
});
