import { called, definition, folderWith } from './support/called';

const sport = { p: 'article.section', eq: 'sport' };
const after = definition({
  queries: [
    {
      id: '20101',
      name: 'Sport fans',
      q: { event: 'Pageview', where: sport, is: { gte: 3 } },
      activations: { dfp: { trigger: 'OnEntry' } },
    },
    { id: '20103', name: 'New', q: { event: 'Click' } },
  ],
  cohortCodes: { '20101': 'abcd' },
});
const view = (user_id: string, time: number) => ({
  name: 'Pageview',
  time,
  user_id,
  properties: { article: { section: 'sport' } },
});
const visits = [view('a', 1e12), view('a', 1e12 + 1), view('b', 1e12), view('b', 1e12 + 2), view('b', 1e12 + 1)]
  .map((event) => JSON.stringify(event))
  .join('\n');

const folder = () => folderWith({ 'a.json': definition(), 'b.json': after, 'visits.ndjson': visits });

describe('diff', () => {
  it('says what is added, removed and meant otherwise, and what is delivered otherwise', async () => {
    const { code, out } = await called(folder(), 'diff', 'a.json', 'b.json');
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toEqual([
      '20101: meaning (q/is/gte: 2 → 3)',
      '20103: added (New)',
      '20102: removed (Readers)',
      '20101: activation added (dfp OnEntry)',
      '20101: activation added (code abcd)',
      '20101: activation removed (dfp EveryTime)',
    ]);
  });

  it('says which entries buyers are told more and less, under both forms of the table', async () => {
    const before = { taxonomies: { 20101: [{ segtax: 4, id: '607' }] }, pps: { IAB_CONTENT_2_2: { 20102: '483' } } };
    const later = { taxonomies: { 20101: [{ segtax: 600, id: 'x' }], 20102: [{ segtax: 6, id: '483' }] } };
    const here = folderWith({ 'a.json': definition(before), 'b.json': definition(later) });
    const { out } = await called(here, 'diff', 'a.json', 'b.json');
    expect(out.trim().split('\n')).toEqual([
      '20101: activation added (entry 600:x)',
      '20101: activation removed (entry 4:607, Interest > Sports)',
    ]);
  });

  it('takes another way to write the same for the same', async () => {
    const same = definition({
      queries: [
        { id: '20102', name: 'Readers', q: { event: ['Pageview'], is: { gte: 1 } } },
        {
          id: '20101',
          name: 'Sport fans',
          q: { event: 'Pageview', where: { p: 'article.section', in: ['Sport'] }, is: { gte: 2 } },
          activations: { dfp: { trigger: 'EveryTime' } },
        },
      ],
    });
    const here = folderWith({ 'a.json': definition(), 'b.json': same });
    expect((await called(here, 'diff', 'a.json', 'b.json')).out).toBe('No cohort and no activation is different\n');
  });

  it('counts the members of both on the same visits', async () => {
    const { out } = await called(folder(), 'diff', 'a.json', 'b.json', '--visits', 'visits.ndjson', '--json');
    const members = (JSON.parse(out) as readonly { readonly what: string }[]).filter(({ what }) => what === 'members');
    expect(members).toEqual([
      { what: 'members', cohort: '20101', detail: '2 → 1 of 2 visitors' },
      { what: 'members', cohort: '20102', detail: '2 → 0 of 2 visitors' },
    ]);
  });

  it('reads the events of a recording', async () => {
    const recording = [
      { v: 1, sdk: '1', project: 'x', clock: 0, complete: true, dropped: 0 },
      { t: 1, lane: 'door', type: 'x', data: null },
      ...[1, 2].map((t) => ({
        t,
        lane: 'events',
        type: 'Pageview',
        data: { ...view('', 0), time: new Date(1e12 + t).toISOString() },
      })),
    ];
    const here = folderWith({
      'a.json': definition(),
      'b.json': after,
      'log.ndjson': recording.map((line) => JSON.stringify(line)).join('\n'),
    });
    expect((await called(here, 'diff', 'a.json', 'b.json', '--visits', 'log.ndjson')).out).toContain(
      '20101: members (1 → 0 of 1 visitors)',
    );
  });

  it('counts in sessions as a page does', async () => {
    const inSession = (least: number) =>
      definition({ queries: [{ id: '20101', q: { event: 'Pageview', is: { gte: least }, within: 'session' } }] });
    const visitsOf = (...sessions: readonly string[]) =>
      sessions.map((session_id, i) => JSON.stringify({ ...view('a', 1e12 + i), session_id })).join('\n');
    const here = folderWith({
      'a.json': inSession(2),
      'b.json': inSession(3),
      'one.ndjson': visitsOf('s', 's'),
      'two.ndjson': visitsOf('s', 't'),
    });
    const membersIn = async (file: string) =>
      (await called(here, 'diff', 'a.json', 'b.json', '--visits', file)).out.includes('members (1 → 0 of 1 visitors)');
    expect(await membersIn('one.ndjson')).toBe(true);
    expect(await membersIn('two.ndjson')).toBe(false);
  });

  it('refuses a wrong definition and wrong visits', async () => {
    const here = folderWith({ 'a.json': definition(), 'b.json': '{}', 'x.ndjson': '{"name":1}', 'y.ndjson': '{' });
    expect(await called(here, 'diff', 'a.json', 'b.json')).toMatchObject({ code: 1 });
    for (const file of ['x.ndjson', 'y.ndjson', 'z.ndjson'])
      expect(await called(here, 'diff', 'a.json', 'a.json', '--visits', file)).toMatchObject({ code: 2 });
  });
});
