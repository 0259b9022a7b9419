import { completionOf, isWanted, webOptions } from '../../../src/addons/web/options';

const defaults = {
  page: {},
  context: {},
  track_pageview_engagement: true,
  track_pageview_complete: true,
  track_form_submission: false,
  track_link_click: false,
  engagement_edge_only: true,
  filterPermutiveEvent: {},
};
const read = (input: unknown) => {
  const faults: string[] = [];
  return { options: webOptions(input, (cause) => faults.push((cause as Error).message)), faults };
};

describe('webOptions', () => {
  it.each([undefined, null, {}])('are the defaults for %p', (input) => {
    expect(read(input)).toEqual({ options: defaults, faults: [] });
  });

  it('are what the page gives', () => {
    const given = {
      page: { a: 1 },
      context: { url: 'https://a.example', title: 'A', referrer: '' },
      track_pageview_engagement: false,
      track_pageview_complete: false,
      track_form_submission: true,
      track_link_click: true,
      engagement_edge_only: false,
      dirty_events: ['keydown'],
      completion: () => 1,
      filterPermutiveEvent: { LinkClick: () => true },
      watson: { enabled: false },
    };
    expect(read(given)).toEqual({ options: given, faults: [] });
  });

  it('take three fields of a context, however many it has, and leave out one that throws', () => {
    let reads = 0;
    const context = new Proxy(
      {
        ...Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`field${i}`, i])),
        url: 'https://a.example',
        title: 'A',
        get referrer() {
          throw new Error('of the page');
        },
        get other() {
          throw new Error('never read');
        },
      },
      { get: (target, name) => ((reads += 1), Reflect.get(target, name) as unknown) },
    );
    const { options, faults } = read({ context, page: { a: 1 } });
    expect(options).toEqual({ ...defaults, page: { a: 1 }, context: { url: 'https://a.example', title: 'A' } });
    expect(faults).toEqual(['of the page']);
    expect(reads).toBe(3);
  });

  it.each([
    ['page', 'text', 'page: expected'],
    ['page', null, 'page: expected'],
    ['context', { url: 7 }, 'context/url: expected string'],
    ['track_pageview_engagement', 'yes', 'track_pageview_engagement: expected boolean'],
    ['track_pageview_complete', 1, 'track_pageview_complete: expected boolean'],
    ['engagement_edge_only', null, 'engagement_edge_only: expected boolean'],
    ['track_form_submission', 'true', 'track_form_submission: expected boolean'],
    ['track_link_click', 1, 'track_link_click: expected boolean'],
    ['dirty_events', 'keydown', 'dirty_events: expected'],
    ['completion', 0.5, 'completion: expected Function'],
    ['filterPermutiveEvent', () => true, 'filterPermutiveEvent: expected'],
    ['watson', true, 'watson: expected'],
    ['watson', { enabled: 'yes' }, 'watson/enabled: expected boolean'],
  ])('drop %s: %p, and say where', (name, value, expected) => {
    const { options, faults } = read({
      [name]: value,
      [name === 'page' ? 'engagement_edge_only' : 'page']: name === 'page' ? false : { a: 1 },
    });
    expect(options).toEqual(
      name === 'page' ? { ...defaults, engagement_edge_only: false } : { ...defaults, page: { a: 1 } },
    );
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(expected);
  });

  it('copy the properties of the page, and say what of them cannot be copied', () => {
    const page = {
      get broken() {
        throw new Error('reader@site.example');
      },
      list: [() => 1],
      kept: 1,
    };
    const { options, faults } = read({ page });
    page.kept = 2;
    expect(options.page).toEqual({ list: [null], kept: 1 });
    expect(faults).toEqual(['page/broken', 'page/list/0']);
  });

  it.each(['text', 7, true])('are the defaults where the page gives %p, and say so', (input) => {
    const { options, faults } = read(input);
    expect([options, faults.length]).toEqual([defaults, 1]);
  });

  it('are own properties only', () => {
    expect(read(Object.create({ track_pageview_complete: false })).options).toEqual(defaults);
  });

  it('never say the value', () => {
    expect(
      read({ page: 'reader@site.example', context: { url: ['reader@site.example'] } }).faults.join(),
    ).not.toContain('reader');
  });
});

describe('completionOf', () => {
  const scrollDepth = (): number => 0.25;
  it.each<readonly [unknown, number]>([
    [0.5, 0.5],
    ['0.5', 0.5],
    [true, 1],
    [7, 1],
    [-1, 0],
    [Infinity, 1],
    [NaN, 0],
    ['far', 0],
    [undefined, 0],
    [null, 0],
    [{}, 0],
    [10n, 1],
    [Symbol('half'), 0],
  ])('takes %p for %p', (answer, expected) => {
    expect(completionOf(webOptions({ completion: () => answer }, jest.fn()), scrollDepth)).toBe(expected);
  });

  it('takes a throw for 0', () => {
    const completion = () => {
      throw new Error('oops');
    };
    expect(completionOf(webOptions({ completion }, jest.fn()), scrollDepth)).toBe(0);
  });

  it('is the scroll depth where the page says nothing', () => {
    expect(completionOf(webOptions({}, jest.fn()), scrollDepth)).toBe(0.25);
  });
});

describe('isWanted', () => {
  const wanted = (predicate: unknown, name = 'LinkClick') => {
    const onFault = jest.fn();
    return [
      isWanted(
        webOptions({ filterPermutiveEvent: { LinkClick: predicate } }, jest.fn()),
        { name, properties: { dest_url: 'a' } },
        onFault,
      ),
      onFault.mock.calls.length,
    ];
  };

  it('asks the predicate of the event’s name, with the event', () => {
    const predicate = jest.fn(() => false);
    expect(wanted(predicate)).toEqual([false, 0]);
    expect(predicate.mock.calls).toEqual([[{ name: 'LinkClick', properties: { dest_url: 'a' } }]]);
    expect(wanted(predicate, 'Pageview')).toEqual([true, 0]);
    expect(wanted(() => true)).toEqual([true, 0]);
    expect(wanted(predicate, 'toString')).toEqual([true, 0]);
  });

  it.each([[() => undefined], [() => 0], [() => 'false'], ['no function'], [null]])(
    'tracks the event, and says so, where the answer of %p is no boolean',
    (predicate) => {
      expect(wanted(predicate)).toEqual([true, 1]);
    },
  );

  it('tracks the event, and says so, where the predicate throws', () => {
    expect(
      wanted(() => {
        throw new Error('oops');
      }),
    ).toEqual([true, 1]);
  });
});
