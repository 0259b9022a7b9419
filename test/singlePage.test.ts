import { timer } from 'rxjs';

import { web } from '../src/addons/web/web';
import type { ClientContext, Event } from '../src/model/event';
import type { Page } from '../src/platform/platform';
import { pagePlayer, type PageScript } from './support/playPage';
import type { TestWorld } from './support/world';

const origin = 'https://www.site.example';
/** The last activity of a view is so long ago that it cannot go on. */
const windowMs = 300_000;
const play = pagePlayer(2 * windowMs);

/** A page whose router changes address and title. */
const routed = (path: string, title: string) => {
  const place = { path, title };
  const page: Partial<Page> = {
    url: () => `${origin}${place.path}`,
    path: () => place.path.replace(/[?#].*/, ''),
    title: () => place.title,
    referrer: () => 'https://search.example/?q=copper',
  };
  const go =
    (to: string, named = place.title) =>
    (): void =>
      void Object.assign(place, { path: to, title: named });
  return { page, go };
};

/** The page calls `addon('web', …)`. */
const call =
  (options: object = {}) =>
  (world: TestWorld): void =>
    world.calls.startAddon('web', options);
const both =
  (...acts: readonly ((world: TestWorld) => void)[]) =>
  (world: TestWorld): void =>
    acts.forEach((act) => act(world));
const engage = (world: TestWorld): void => world.fire('document', 'click');
const leave = (world: TestWorld): void => world.fire('window', 'pagehide', { isTrusted: true });

/** Events, each with the number of its view, and with what it says of the page. */
const rowsOf = (events: readonly Event[]) => {
  const views = [...new Set(events.map(({ view_id }) => view_id))];
  return events.map(({ name, view_id, properties }) => {
    const { url, title, referrer } = properties['client'] as ClientContext;
    const view = views.indexOf(view_id) + 1;
    return { name, view, url: url.replace(origin, ''), title, referrer, properties };
  });
};
type Row = ReturnType<typeof rowsOf>[number];
const rowText = ({ name, view, url, title }: Row): string => `${name} ${view} ${url} ${title}`;

const eventsSentBy = ({ requests }: TestWorld): readonly Event[] =>
  requests
    .filter(({ url }) => url.includes('batch/events'))
    .flatMap(({ body }) => JSON.parse(body ?? '[]') as readonly Event[]);
/** What the engines of a page with the addon `web` hear. */
const heard = (page: Partial<Page>, ...script: PageScript): readonly Row[] =>
  rowsOf(
    play({ page, addons: [web] }, ...script).engines.flatMap((engine) =>
      engine.heard.flatMap((message) =>
        message.type === 'track' ? [(message as unknown as { readonly event: Event }).event] : [],
      ),
    ),
  );
const told = (page: Partial<Page>, ...script: PageScript): readonly string[] => heard(page, ...script).map(rowText);
const referrers = (page: Partial<Page>, ...script: PageScript): readonly string[] =>
  heard(page, ...script).flatMap(({ name, referrer }) => (name === 'Pageview' ? [referrer] : []));

describe('a single-page site', () => {
  it('whose router goes on before its call: all events of a view say where its Pageview was', () => {
    const { page, go } = routed('/one', 'One');
    expect(
      told(
        page,
        [0, call()],
        [1000, engage],
        [6000, go('/two', 'Two')],
        [7000, engage],
        [7500, ({ track }) => track('LinkClick')],
        [11_000, call()],
        [12_000, leave],
      ),
    ).toEqual([
      'Pageview 1 /one One',
      'PageviewEngagement 1 /one One',
      'LinkClick 1 /one One',
      'PageviewEngagement 1 /one One',
      'PageviewComplete 1 /one One',
      'Pageview 2 /two Two',
      'PageviewComplete 2 /two Two',
    ]);
  });

  it('whose router goes on with its call: the view before is completed as what it was', () => {
    const { page, go } = routed('/one', 'One');
    expect(told(page, [0, call()], [1000, both(go('/two', 'Two'), call())], [2000, leave])).toEqual([
      'Pageview 1 /one One',
      'PageviewComplete 1 /one One',
      'Pageview 2 /two Two',
      'PageviewComplete 2 /two Two',
    ]);
  });

  it('whose router goes on after its call: a view keeps the address of its Pageview', () => {
    const { page, go } = routed('/one', 'One');
    expect(
      told(
        page,
        [0, call({ page: { id: 1 } })],
        [1000, both(call({ page: { id: 2 } }), go('/two', 'Two'))],
        [2000, both(call({ page: { id: 3 } }), go('/three', 'Three'))],
        [3000, leave],
      ),
    ).toEqual([
      'Pageview 1 /one One',
      'PageviewComplete 1 /one One',
      'Pageview 2 /one One',
      'PageviewComplete 2 /one One',
      'Pageview 3 /two Two',
      'PageviewComplete 3 /two Two',
    ]);
  });

  it('that replaces its address: nothing changes before the call, which is of another view', () => {
    const { page, go } = routed('/one?utm_source=letter', 'One');
    expect(told(page, [0, call()], [1000, go('/one')], [2000, ({ track }) => track('A')], [3000, call()])).toEqual([
      'Pageview 1 /one?utm_source=letter One',
      'A 1 /one?utm_source=letter One',
      'PageviewComplete 1 /one?utm_source=letter One',
      'Pageview 2 /one One',
    ]);
  });

  it('whose visitor goes back: the first article is viewed again', () => {
    const { page, go } = routed('/one', 'One');
    const [two, one] = [both(go('/two', 'Two'), call()), both(go('/one', 'One'), call())];
    expect(told(page, [0, call()], [1000, two], [2000, one])).toEqual([
      'Pageview 1 /one One',
      'PageviewComplete 1 /one One',
      'Pageview 2 /two Two',
      'PageviewComplete 2 /two Two',
      'Pageview 3 /one One',
    ]);
  });

  it('that changes its title late: a view keeps the title of its Pageview', () => {
    const { page, go } = routed('/one', 'One');
    expect(told(page, [0, call()], [1000, go('/one', '(1) One')], [2000, leave])).toEqual([
      'Pageview 1 /one One',
      'PageviewComplete 1 /one One',
    ]);
  });

  it('whose article is given another title by the publisher: the view keeps it', () => {
    const { page } = routed('/one', 'One');
    expect(told(page, [0, call({ context: { title: 'Said', url: `${origin}/said` } })], [2000, leave])).toEqual([
      'Pageview 1 /said Said',
      'PageviewComplete 1 /said Said',
    ]);
  });

  it.each([
    ['parameters', '/story?token=101', '/story?token=102', '/story?token=*'],
    ['parts of the path', `/a/${'4f'.repeat(17)}`, `/a/${'5e'.repeat(17)}`, '/a/*'],
  ])('whose addresses differ in %s that are redacted: each is a view', (_, from, to, redacted) => {
    const { page, go } = routed(from, 'A');
    expect(told(page, [0, call()], [1000, both(go(to), call())], [2000, leave])).toEqual([
      `Pageview 1 ${redacted} A`,
      `PageviewComplete 1 ${redacted} A`,
      `Pageview 2 ${redacted} A`,
      `PageviewComplete 2 ${redacted} A`,
    ]);
  });

  it.each([
    ['#/one', '#/two'],
    ['#!/one', '#!/two'],
  ])('with routes such as %s: each route is a view', (from, to) => {
    const { page, go } = routed(`/${from}`, 'A');
    expect(told(page, [0, call()], [1000, both(go(`/${to}`), call())])).toEqual([
      `Pageview 1 /${from} A`,
      `PageviewComplete 1 /${from} A`,
      `Pageview 2 /${to} A`,
    ]);
  });

  it('whose fragment is a place on the page: the same call is of the same view', () => {
    const { page, go } = routed('/one', 'One');
    expect(told(page, [0, call()], [1000, both(go('/one#comments'), call())])).toEqual(['Pageview 1 /one One']);
  });

  it('that shows several articles at one address: each has a view and what was read of it', () => {
    const { page } = routed('/stream', 'Stream');
    const events = heard(
      page,
      [0, call({ page: { article: { id: 1 } } })],
      [1000, engage],
      [6000, call({ page: { article: { id: 2 } } })],
      [7000, engage],
      [12_000, call({ page: { article: { id: 3 } } })],
      [13_000, leave],
    ).filter(({ name }) => name === 'PageviewComplete');
    expect(
      events.map(({ view, properties }) => [view, properties['article'], properties['total_engaged_time']]),
    ).toEqual([
      [1, { id: 1 }, 5],
      [2, { id: 2 }, 5],
      [3, { id: 3 }, 0],
    ]);
  });
});

describe('the very same call', () => {
  it('by a framework in development makes no second Pageview, and the view goes on', () => {
    const { page } = routed('/one', 'One');
    const events = heard(
      page,
      [0, both(call({ page: { a: [1] } }), call({ page: { a: [1] } }))],
      [1000, engage],
      [3000, call({ page: { a: [1] } })],
      [6000, leave],
    );
    expect(events.map(({ name, view }) => `${name} ${view}`)).toEqual([
      'Pageview 1',
      'PageviewEngagement 1',
      'PageviewComplete 1',
    ]);
    expect(events.at(-1)?.properties['total_engaged_time']).toBe(5);
  });

  it.each([
    [windowMs - 1, 1],
    [windowMs, 2],
  ])('%d ms after the last activity is of the view number %d', (ms, view) => {
    const { page } = routed('/one', 'One');
    const rows = heard(
      page,
      [0, call()],
      [1000, ({ track }) => track('Activity')],
      [1000 + ms, call()],
      [1001 + ms, ({ track }) => track('After')],
    );
    expect(rows.at(-1)).toMatchObject({ name: 'After', view });
    expect(rows.filter(({ name }) => name === 'Pageview')).toHaveLength(view);
  });

  it('may give the view other options', () => {
    const { page } = routed('/one', 'One');
    expect(
      told(
        page,
        [0, call()],
        [1000, call({ dirty_events: ['keydown'] })],
        [2000, (world) => world.fire('document', 'keydown')],
        [6000, call({ track_pageview_complete: false })],
        [7000, leave],
      ),
    ).toEqual(['Pageview 1 /one One', 'PageviewEngagement 1 /one One']);
  });

  it('that only differs in what JSON cannot hold is the same', () => {
    const { page } = routed('/one', 'One');
    expect(told(page, [0, call({ page: { a: 1, b: () => 1 } })], [1, call({ page: { a: 1 } })])).toEqual([
      'Pageview 1 /one One',
    ]);
  });

  it('follows a reset, which begins another view', () => {
    const { page } = routed('/one', 'One');
    const reset = (world: TestWorld): void => (world.calls.instances['web'] as { reset: () => void }).reset();
    expect(told(page, [0, call()], [1000, reset], [2000, call()])).toEqual([
      'Pageview 1 /one One',
      'PageviewComplete 1 /one One',
      'Pageview 2 /one One',
    ]);
  });
});

describe('a page that returns from the back-forward cache', () => {
  const back = (world: TestWorld): void => world.fire('window', 'pageshow', { persisted: true });

  it.each([
    ['soon', 1000, 1],
    ['late', windowMs, 2],
  ])('%s: its events say where it was first, and it has the referrer that it had', (_, ms, view) => {
    const { page, go } = routed('/one', 'One');
    const rows = heard(
      page,
      [0, call()],
      [100, both(go('/two', 'Two'), call())],
      [1000, leave],
      [1000 + ms, back],
      [1001 + ms, call()],
      [1002 + ms, ({ track }) => track('After')],
    );
    expect(rows.slice(-2)).toMatchObject([
      { name: 'Pageview', view: view + 1, url: '/two', title: 'Two', referrer: `${origin}/one` },
      { name: 'After', view: view + 1, url: '/two', title: 'Two', referrer: `${origin}/one` },
    ]);
  });

  it('and tracks before its Pageview: the event says what its view has said', () => {
    const { page, go } = routed('/one', 'One');
    // A visit begins in tasks of its own.
    const world = play(
      { page, addons: [web], yieldThread: () => timer(10) },
      [0, call()],
      [900, go('/elsewhere', 'Elsewhere')],
      [1000, leave],
      [2000, back],
      [2015, ({ track }) => track('Returned')],
    );
    expect(rowsOf(eventsSentBy(world)).map(rowText)).toEqual([
      'Pageview 1 /one One',
      'PageviewComplete 1 /one One',
      'Returned 1 /one One',
      'Pageview 1 /elsewhere Elsewhere',
    ]);
  });
});

describe('the referrer', () => {
  it('is the document’s for the first view, and the address of the view before for a later one', () => {
    const { page, go } = routed('/one?q=private#/route?x=1', 'One');
    expect(referrers(page, [0, call()], [1000, both(go('/two'), call())], [2000, both(go('/three'), call())])).toEqual([
      'https://search.example/?q=copper',
      `${origin}/one#/route`,
      `${origin}/two`,
    ]);
  });

  it('is what the publisher says', () => {
    const { page, go } = routed('/one', 'One');
    const said = call({ context: { referrer: 'https://partner.example/a' } });
    expect(referrers(page, [0, call()], [1000, both(go('/two'), said)], [2000, both(go('/three'), call())])).toEqual([
      'https://search.example/?q=copper',
      'https://partner.example/a',
      `${origin}/two`,
    ]);
  });

  it('has no id that was redacted', () => {
    const { page, go } = routed(`/a/${'4f'.repeat(17)}`, 'One');
    expect(referrers(page, [0, call()], [1000, both(go('/two'), call())]).at(-1)).toBe(`${origin}/a/*`);
  });
});

it('a Pageview that the page’s filter leaves out opens its view all the same', () => {
  const { page, go } = routed('/one', 'One');
  const unwanted = call({ filterPermutiveEvent: { Pageview: () => false } });
  expect(
    told(
      page,
      [0, call()],
      [1000, both(go('/two', 'Two'), unwanted)],
      [2000, ({ track }) => track('A')],
      [3000, leave],
    ),
  ).toEqual(['Pageview 1 /one One', 'PageviewComplete 1 /one One', 'A 2 /two Two', 'PageviewComplete 2 /two Two']);
});
