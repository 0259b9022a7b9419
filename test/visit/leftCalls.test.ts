import { map, timer } from 'rxjs';

import { web } from '../../src/addons/web/web';
import { takenAnswer } from '../../src/fakePlatform/fakeHttp';
import { json } from '../../src/hardening/plainJson';
import { clientOf } from '../../src/model/clientContext';
import type { QueuedEvent } from '../../src/model/queuedEvent';
import { takeLeftCalls } from '../../src/visit/leftCalls';
import { noon, visitorId } from '../support/events';
import { pagePlayer } from '../support/playPage';
import { linesOf } from '../support/reports';
import { type TestWorld, type Told, type WorldFacts, worldOf } from '../support/world';

const key = 'permutive-left-calls';
const viewId = 'c56a4180-65aa-42ec-a945-5fd21dec0538';
const sessionId = '7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const other = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
const at = noon - 60_000;
const facts = [at, visitorId, viewId, '/news/copper', 'Copper', 'https://search.example/'];
const call = (functionName: string, ...args: readonly unknown[]) => ({ functionName, arguments: args });
const pageview = call('addon', 'web', { page: { section: 'markets' } });

interface Record {
  readonly enrich: boolean;
  readonly sdkProcessed: boolean;
  readonly events: readonly QueuedEvent[];
  readonly places: unknown;
}

/** What becomes of a text that the companion has kept. */
const taken = (text: string, { local = {}, ...given }: WorldFacts = {}, userId: string | undefined = visitorId) => {
  const world = worldOf({
    addons: [web],
    now: () => noon,
    ...given,
    local: {
      'permutive-id': visitorId,
      'permutive-session': JSON.stringify({ session_id: sessionId, last_updated: new Date(noon).toISOString() }),
      [key]: text,
      ...local,
    },
  });
  const records = takeLeftCalls({ ...world, userId: () => userId });
  const all = [...records].map(([name, record]) => [name, json.parse(record) as Record] as const);
  return {
    keys: all.map(([name]) => name),
    records: all.map(([, record]) => record),
    events: all.flatMap(([, { events }]) => events),
    left: world.local.read(key),
    report: linesOf(world.report),
  };
};
const ofCalls = (...calls: readonly unknown[]) => taken(JSON.stringify([facts, ...calls]));

const play = pagePlayer(70_000);

describe('Calls of pages that were left before the SDK had come', () => {
  it('are events of that page, in a record as a page leaves it', () => {
    const { keys, records, events, left, report } = ofCalls(call('track', 'Read', { length: 3 }), pageview);
    expect(keys).toEqual([`${viewId}/1`]);
    expect(records).toMatchObject([
      {
        enrich: false,
        sdkProcessed: true,
        places: [
          [1, 0],
          [2, 0],
        ],
      },
    ]);
    expect(events).toMatchObject([
      {
        id: `${viewId.slice(0, -4)}0001`,
        name: 'Pageview',
        time: new Date(at).toISOString(),
        user_id: visitorId,
        session_id: sessionId,
        view_id: viewId,
        segments: [],
        cohorts: [],
        properties: { section: 'markets', client: { title: 'Copper', referrer: 'https://search.example' } },
      },
      { id: `${viewId.slice(0, -4)}0002`, name: 'Read', view_id: viewId, properties: { length: 3 } },
    ]);
    expect(clientOf(events[1]!)).toEqual(clientOf(events[0]!));
    expect(clientOf(events[0]!).url).toMatch(/^https:\/\/[^/]+\/news\/copper$/);
    expect([left, report]).toEqual([null, []]);
  });

  it('are the same events whoever takes them', () => {
    expect(ofCalls(pageview, call('track', 'Read')).events).toEqual(ofCalls(pageview, call('track', 'Read')).events);
  });

  it('are of several pages, each with an id of its own', () => {
    const second = [at, visitorId, viewId, '/b', '', ''];
    const { keys, events } = taken(
      JSON.stringify([facts, pageview, [at, visitorId, null, '/a', '', ''], pageview, second, pageview]),
    );
    expect(new Set(keys).size).toBe(3);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    expect(events.map((event) => new URL(clientOf(event).url).pathname)).toEqual(['/news/copper', '/a', '/b']);
  });

  it('are redacted as the page would have done it', () => {
    const secret = [
      at,
      visitorId,
      viewId,
      '/reset/a@reader.example',
      'For a@reader.example',
      'https://a.example/b@reader.example',
    ];
    const context = { url: 'https://www.site.example/?token=mine&a=1' };
    const { events } = taken(
      JSON.stringify([
        secret,
        call('track', 'Before'),
        [at, visitorId, null, '/', '', ''],
        call('addon', 'web', { context }),
      ]),
    );
    expect(JSON.stringify(events)).not.toMatch(/reader|mine/);
    expect(clientOf(events[1]!).url).toMatch(/token=\*&a=1/);
  });

  it('open a view for each page that the addon is told of, and none for the same call again', () => {
    const next = call('addon', 'web', { page: { section: 'gold' }, context: { url: 'https://www.site.example/gold' } });
    const { events } = ofCalls(pageview, pageview, next, call('track', 'Read'));
    expect(events.map(({ name }) => name)).toEqual(['Pageview', 'Pageview', 'Read']);
    const [first, second, read] = events;
    expect(first?.view_id).toBe(viewId);
    expect(second?.view_id).not.toBe(viewId);
    expect(read?.view_id).toBe(second?.view_id);
    expect(clientOf(second!).referrer).toBe(clientOf(first!).url);
  });

  it('leave out a Pageview that the page may have filtered out', () => {
    const { events } = ofCalls(
      call('addon', 'web', { filterPermutiveEvent: {}, page: { a: 1 } }),
      call('track', 'Read'),
    );
    expect(events.map(({ name }) => name)).toEqual(['Read']);
  });

  it('leave placeholders to the server, but that of an address', () => {
    const { records, events } = ofCalls(call('track', 'Read', { geo: '$ip_geo_info', address: ['$ip_address'] }));
    expect(records[0]?.enrich).toBe(true);
    expect(events[0]?.properties).toMatchObject({ geo: '$ip_geo_info', address: [null] });
  });

  it('have a session of their own where the present one may have begun since', () => {
    const old = [noon - 1_800_000, ...facts.slice(1)];
    const { events } = taken(JSON.stringify([old, pageview, call('track', 'Read')]));
    expect(events[0]?.session_id).not.toBe(sessionId);
    expect(events[1]?.session_id).toBe(events[0]?.session_id);
  });

  it.each([
    ['track', 'no name!', {}],
    ['track', 7, {}],
    ['track'],
    ['addon', 'dfp', {}],
    ['identify', 'Read', {}],
    ['consent', { opt_in: true }],
  ])('are no events of %s %j', (name, ...args) =>
    expect(ofCalls(call(name, ...args))).toMatchObject({ keys: [], report: [] }),
  );

  it('take what properties and options are not for none', () => {
    const { events } = ofCalls(
      call('track', 'Read', 7),
      { functionName: 'addon', arguments: { 0: 'web' } },
      {},
      call('track', 'Null', null),
    );
    expect(events.map(({ name }) => name)).toEqual(['Pageview', 'Read', 'Null']);
  });

  it('make no prototype of a property, and no event larger than others', () => {
    const text = JSON.stringify([facts, call('track', 'Read', 0)]).replace(',0]', ',{"__proto__":{"a":1},"b":1}]');
    const [event] = taken(text).events;
    expect(Object.keys(event!.properties)).toEqual(['b', 'client']);
    expect(Object.getPrototypeOf(event!.properties)).toBe(Object.prototype);
    const { events, report } = ofCalls(call('track', 'Read', { text: 'x'.repeat(60_000) }));
    expect(JSON.stringify(events).length).toBeLessThan(48_000);
    expect(report).toEqual(['Event Read: dropped too large: at /text']);
  });

  it.each(['', '{', 'null', '7', '{}', '[7]', '["a"]', '[null]', '[[7'])('are reported where all is %j', (text) => {
    const { keys, left, report } = taken(text);
    expect([keys, left]).toEqual([[], null]);
    expect(report).toEqual([expect.stringMatching(/^Calls of an earlier page cannot be read: /)]);
  });

  it.each([
    [[]],
    [['now', ...facts.slice(1)]],
    [[1e20, ...facts.slice(1)]],
    [[null, ...facts.slice(1)]],
    [[at, 'nobody', ...facts.slice(2)]],
    [facts.slice(0, 3)],
    [[...facts.slice(0, 3), 7, ...facts.slice(4)]],
  ])('cost themselves where the facts are %j', (broken) => {
    const { keys, events, report } = taken(
      JSON.stringify([broken, call('track', 'Lost'), facts, call('track', 'Kept')]),
    );
    expect([keys, events.map(({ name }) => name)]).toEqual([[`${viewId}/1`], ['Kept']]);
    expect(report).toHaveLength(1);
  });

  it('are those of the visitor of the next page where their page had no id', () => {
    const text = JSON.stringify([[at, null, viewId, '/a', '', ''], pageview]);
    expect(taken(text).events).toMatchObject([{ name: 'Pageview', user_id: visitorId, view_id: viewId }]);
  });

  it('are dropped where they are of another user', () => {
    const theirs = [at, other, viewId, '/', '', ''];
    expect(taken(JSON.stringify([theirs, pageview]))).toMatchObject({ keys: [], left: null, report: [] });
  });

  it.each([
    ['while nobody is known', undefined],
    ['of a page of another user', other],
  ])('stay for their user %s', (_, userId) => {
    const world = worldOf({ local: { 'permutive-id': visitorId, [key]: 'text' } });
    expect(takeLeftCalls({ ...world, userId: () => userId }).size).toBe(0);
    expect(world.local.read(key)).toBe('text');
  });

  it('have no title and no referrer where something else stood in their places', () => {
    const hidden = [at, visitorId, viewId, '/', {}, null];
    expect(clientOf(taken(JSON.stringify([hidden, pageview])).events[0]!)).toMatchObject({ title: '', referrer: '' });
  });

  it('are no Pageviews where the project has no addon for them', () => {
    expect(taken(JSON.stringify([facts, pageview]), { addons: [] }).keys).toEqual([]);
  });

  describe('on the next page', () => {
    const local = { 'permutive-id': visitorId, [key]: JSON.stringify([facts, pageview, call('track', 'Read')]) };
    const played = (answer: string) =>
      play(
        {
          addons: [web],
          send: (request) => timer(50).pipe(map(() => takenAnswer(request))),
          local: { ...local, 'permutive-consent': answer },
        },
        [20, (world) => world.track('Now')],
        [25_000, (world) => world.track('Later')],
      );
    const sent = ({ requests }: TestWorld): readonly QueuedEvent[] =>
      requests
        .filter(({ url }) => url.includes('batch/events'))
        .flatMap(({ body }) => JSON.parse(body ?? '[]') as QueuedEvent[]);

    it('are uploaded once, and told to its engine', () => {
      const world = played('{"opt_in":true,"token":"t"}');
      expect(sent(world).map(({ name }) => name)).toEqual(['Now', 'Later', 'Pageview', 'Read']);
      const told = world.engines.flatMap(({ heard }) => heard as readonly Told[]).filter(({ event }) => event);
      expect(told.map(({ event }) => `${event?.name} ${event?.view_id === viewId}`)).toEqual([
        'Now false',
        'Later false',
        'Pageview true',
        'Read true',
      ]);
      expect(world.local.read(key)).toBeNull();
    });

    it('are erased where the visitor has refused', () => {
      const world = played('{"opt_in":false}');
      expect([sent(world), world.local.read(key)]).toEqual([[], null]);
    });
  });
});
