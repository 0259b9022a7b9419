import { map, timer } from 'rxjs';

import { web } from '../../src/addons/web/web';
import { takenAnswer } from '../../src/fakePlatform/fakeHttp';
import type { QueuedEvent } from '../../src/model/queuedEvent';
import { noon, queuedOf, visitorId } from '../support/events';
import { pagePlayer } from '../support/playPage';
import { engineOf, type TestWorld, type WorldFacts } from '../support/world';

const play = pagePlayer(900_000);

const other = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
const codeKeys = [
  '_psegs',
  '_pdfps',
  '_papns',
  '_prubicons',
  '_pnativo',
  '_pfws',
  '_ppam',
  '_pcrprs',
  '_pclmc',
  '_pssps',
];

/** Everything that the pages of the visitor have stored on this origin. */
const storage = {
  'permutive-id': visitorId,
  'permutive-session': JSON.stringify({
    session_id: '7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
    last_updated: new Date(noon).toISOString(),
  }),
  'permutive-app': JSON.stringify({
    core: { cohorts: { all: ['7', '8'], ql: ['7'], produced: { advertiser: ['8'] } } },
    eventPublication: { eventUpload: [['w', { event: queuedOf('w', { name: 'Waiting' }) }]] },
  }),
  'permutive-data-misc': JSON.stringify({ identities: { reader: { id: 'A', expiry: noon * 2, priority: 0 } } }),
  'permutive-data-tpd': '{"reported":1}',
  'permutive-data-enrichers': '{}',
  'permutive-data-queries': '{}',
  'permutive-events-cache': '[]',
  'permutive-prebid-id': '{"providers":{}}',
  'permutive-left-calls': '[]',
  audience: '["7"]',
  ...Object.fromEntries(codeKeys.map((key) => [key, '[7]'])),
  // Of no visitor, or told by the visitor for the browser.
  'permutive-consent': '{"opt_in":true,"token":"t"}',
  'permutive-local-journal/e': '[]',
  'permutive-leases': '{}',
  theirs: 'x',
};
const project = { storageKeys: ['audience'] };
const onOtherOrigin: WorldFacts = { cookies: { 'permutive-id': other, _pdfps: '["7"]' }, local: storage, project };

/** What the page has uploaded. */
const sent = (world: TestWorld): readonly QueuedEvent[] =>
  world.requests
    .filter(({ url }) => url.includes('batch/events'))
    .flatMap(({ body }) => JSON.parse(body ?? '[]') as QueuedEvent[]);
const startsOf = ({ engines }: TestWorld) => engines.map(({ heard }) => heard[0]);
const usersOf = (world: TestWorld): readonly unknown[] =>
  startsOf(world).map((start) => (start as { readonly userId?: string }).userId);
const textsOf = (world: TestWorld, ...keys: readonly string[]) => keys.map((key) => world.local.read(key));

/** Another tab of this origin has become another user’s, and this tab has not heard of it. */
const replace =
  (id = other) =>
  (world: TestWorld): void => {
    world.cookies.write(`permutive-id=${id}; path=/`);
    for (const key of world.local.keys()) if (key !== 'theirs') world.local.remove(key);
    world.local.write('permutive-id', id);
  };

describe('A visitor whom another origin of the site has made another user', () => {
  it('begins with nothing of the user before', () => {
    const world = play(onOtherOrigin, [10, (page) => page.track('First')]);
    expect(startsOf(world)).toMatchObject([{ userId: other, given: [], leftBehind: false }]);
    expect(sent(world).filter(({ name }) => name === 'First')).toMatchObject([
      { user_id: other, segments: [], cohorts: [] },
    ]);
    expect(world.state()).toMatchObject({ cohorts: [] });
    expect(textsOf(world, ...codeKeys, 'audience')).toEqual([...codeKeys, 'audience'].map(() => null));
    expect(textsOf(world, 'permutive-data-misc', 'permutive-data-tpd', 'permutive-prebid-id')).toEqual([
      null,
      null,
      null,
    ]);
    expect([...world.jar]).toEqual([['permutive-id', other]]);
    expect(world.local.read('permutive-id')).toBe(other);
    expect(world.local.read('permutive-session')).not.toContain('7a1b2c3d');
  });

  it('leaves the waiting events of the user before to be sent as theirs, and what is no visitor’s', () => {
    const world = play(onOtherOrigin);
    expect(sent(world)).toMatchObject([{ id: 'w', name: 'Waiting', user_id: visitorId }]);
    expect(textsOf(world, 'permutive-consent', 'theirs')).toEqual([storage['permutive-consent'], 'x']);
  });

  it('is not told what stands where no id says whose it is', () => {
    const nobodys = Object.fromEntries(Object.entries(storage).filter(([key]) => key !== 'permutive-id'));
    const world = play({ ...onOtherOrigin, local: nobodys });
    expect(startsOf(world)).toMatchObject([{ userId: other, given: [] }]);
    expect(textsOf(world, '_psegs', '_pdfps')).toEqual([null, null]);
  });

  it('finds their own again', () => {
    const own = play({ cookies: { 'permutive-id': visitorId }, local: storage, project });
    expect(startsOf(own)).toMatchObject([{ userId: visitorId, localRecords: [['e', '[]']] }]);
    expect(own.local.read('_psegs')).toBe('[7]');
    const withoutCookie = play({ local: storage, project });
    expect(startsOf(withoutCookie)).toMatchObject([{ userId: visitorId, localRecords: [['e', '[]']] }]);
  });
});

describe('A tab whose user another tab has replaced', () => {
  it('writes nothing of its user into the storage of the other, and reads nothing there', () => {
    let stored: unknown;
    const world = play(
      {
        cookies: { 'permutive-id': visitorId },
        local: { 'permutive-id': visitorId, theirs: 'x' },
        hasCookieStore: false,
      },
      [0, (page) => engineOf(page).initialise('7')],
      [10, replace()],
      [20, (page) => page.local.write('permutive-app', '{"core":{"cohorts":{"all":["9"]}}}')],
      [30, (page) => engineOf(page).enter('8')],
      [40, (page) => engineOf(page).reachBarrier()],
      [50, (page) => page.track('OfTheOld')],
      [60, (page) => (stored = page.local.all())],
    );
    expect(stored).toEqual({
      'permutive-id': other,
      'permutive-app': '{"core":{"cohorts":{"all":["9"]}}}',
      theirs: 'x',
    });
    // With the first request, the tab has found out.
    expect(usersOf(world)).toEqual([visitorId, other]);
    expect(sent(world).filter(({ name }) => name === 'OfTheOld')).toMatchObject([{ user_id: visitorId }]);
  });

  it('writes on where the page has removed the id, and names its user', () => {
    const world = play(
      { cookies: { 'permutive-id': visitorId }, local: { 'permutive-id': visitorId } },
      [10, (page) => page.local.keys().forEach((key) => page.local.remove(key))],
      [2000, (page) => page.track('Later')],
    );
    expect(world.local.read('permutive-session')).not.toBeNull();
    expect(world.local.read('permutive-id')).toBe(visitorId);
  });
});

describe('An open page whose user another origin of the site has replaced', () => {
  const facts: WorldFacts = { cookies: { 'permutive-id': visitorId }, local: { 'permutive-id': visitorId } };
  const logIn =
    (id = other) =>
    (page: TestWorld): void =>
      page.cookies.write(`permutive-id=${id}; path=/`);
  const hide = (page: TestWorld): void => {
    page.setHidden(true);
    page.fire('document', 'visibilitychange');
  };
  const show = (page: TestWorld): void => {
    page.setHidden(false);
    page.fire('document', 'visibilitychange');
  };

  it('is the new user’s once it is shown again', () => {
    const world = play(
      facts,
      [0, (page) => engineOf(page).initialise('7')],
      [1000, hide],
      [2000, logIn()],
      [3000, show],
      [3001, (page) => page.track('Later')],
    );
    expect(usersOf(world)).toEqual([visitorId, other]);
    expect(sent(world).filter(({ name }) => name === 'Later')).toMatchObject([
      { user_id: other, segments: [], cohorts: [] },
    ]);
    expect(world.local.read('permutive-id')).toBe(other);
  });

  it.each([
    ['the same user', visitorId],
    ['no user', 'nobody'],
  ])('goes on where the cookie is that of %s', (_, id) => {
    const world = play(facts, [1000, hide], [2000, logIn(id)], [3000, show], [3001, hide], [3002, show]);
    expect(usersOf(world)).toEqual([visitorId]);
  });

  it('counts as the new user’s what a listener of the page tracks before the SDK hears of the return', () => {
    const world = play(
      facts,
      [1000, hide],
      [1000, (page) => page.fire('window', 'pagehide', { persisted: true })],
      [2000, logIn()],
      [
        3000,
        (page) => {
          // Browsers tell of the visibility first, and of the return in the same task.
          show(page);
          page.track('Returned');
          page.fire('window', 'pageshow', { persisted: true });
        },
      ],
    );
    expect(sent(world).filter(({ name }) => name === 'Returned')).toMatchObject([{ user_id: other }]);
  });
});

describe('A visitor whom the server knows by another id', () => {
  const facts: WorldFacts = {
    local: storage,
    project,
    send: (request) =>
      timer(100).pipe(
        map(() =>
          request.url.includes('/identify')
            ? { status: 200, body: JSON.stringify({ user_id: other }) }
            : takenAnswer(request),
        ),
      ),
  };
  const identify = (page: TestWorld): void =>
    page.calls.identify({ given: [{ tag: 'reader', id: 'B', priority: 0 }], done: () => undefined });

  it('leaves nothing of the user before in storage, and goes on with the session', () => {
    const world = play(
      facts,
      [0, (page) => engineOf(page).initialise('7')],
      [10, identify],
      [300, (page) => page.track('Later')],
    );
    expect(textsOf(world, '_psegs', '_pdfps', 'audience', 'permutive-data-tpd')).toEqual([null, null, null, null]);
    expect(world.state().cohorts).toEqual([]);
    expect(world.local.read('permutive-session')).toContain('7a1b2c3d');
    expect(JSON.parse(world.local.read('permutive-data-misc') ?? '{}')).toEqual({
      identities: { reader: { id: 'B', priority: 0, expiry: expect.any(Number) as number } },
    });
  });

  it('has no cohorts of the user before', () => {
    const world = play(
      facts,
      [0, (page) => engineOf(page).initialise('7')],
      [10, identify],
      [300, (page) => page.track('Later')],
    );
    expect(sent(world).filter(({ name }) => name === 'Later')).toMatchObject([
      { user_id: other, segments: [], cohorts: [] },
    ]);
  });

  it('gives the other engine the events of this page, and none of the user before', () => {
    const world = play(
      facts,
      [0, (page) => page.track('OfThisPage')],
      [10, identify],
      [3000, (page) => page.fire('window', 'pagehide')],
    );
    expect(startsOf(world).at(-1)).toMatchObject({ userId: other, given: [{ name: 'OfThisPage' }] });
  });
});

describe('A page that returns from the back-forward cache', () => {
  const viewsOf = (world: TestWorld): readonly string[] =>
    sent(world)
      .filter(({ name }) => name === 'Pageview')
      .map(({ view_id }) => view_id);
  const facts: WorldFacts = {
    cookies: { 'permutive-id': visitorId },
    local: { 'permutive-id': visitorId },
    addons: [web],
  };
  const open = (page: TestWorld): void => page.calls.startAddon('web', {});
  const leave = (page: TestWorld): void => page.fire('window', 'pagehide', { persisted: true });
  const comeBack = (page: TestWorld): void => page.fire('window', 'pageshow', { persisted: true });
  const shown = [
    [0, open],
    [1000, leave],
  ] as const;

  it('goes on with the view of the same user within five minutes', () => {
    const [before, after] = viewsOf(play(facts, ...shown, [60_000, comeBack]));
    expect(after).toBe(before);
  });

  it.each([
    ['another tab', replace()],
    ['another origin', (page: TestWorld) => page.cookies.write(`permutive-id=${other}; path=/`)],
  ])('begins another view of the user whom %s has brought', (_, change) => {
    const world = play(facts, ...shown, [2000, change], [60_000, comeBack]);
    const [before, after] = viewsOf(world);
    expect(after).toEqual(expect.any(String));
    expect(after).not.toBe(before);
    expect(sent(world).filter(({ name }) => name === 'Pageview')).toMatchObject([
      { user_id: visitorId },
      { user_id: other },
    ]);
  });

  it('begins another view after five minutes, though the page tracks an event before the SDK hears of the return', () => {
    const [before, after] = viewsOf(
      play(facts, ...shown, [311_000, (page) => page.track('Returned')], [311_001, comeBack]),
    );
    expect(after).toEqual(expect.any(String));
    expect(after).not.toBe(before);
  });
});
