/** @jest-environment jsdom */
/* oxlint-disable typescript/no-deprecated -- pages still use the older calls, so the stand-in has them */
import { maxAddressLength } from '../../../demo/page/standIns/googletag/adServer';
import { installGoogletag } from '../../../demo/page/standIns/googletag/install';
import { type RequestDetail, requestEvent } from '../../../demo/page/standIns/googletag/requests';
import { FakeObserver } from './fakeObserver';

type Tag = typeof googletag;

const load = (queued: (() => unknown)[] = [], hasOlderCalls = true): Tag => {
  document.body.innerHTML = '<div id="top"></div><div id="side"></div><div id="foot"></div>';
  (window as unknown as Record<string, unknown>)['googletag'] = { cmd: queued };
  installGoogletag(hasOlderCalls);
  return (window as unknown as { googletag: Tag }).googletag;
};

const define = (tag: Tag, id: string, path = `/1/${id}`): googletag.Slot =>
  tag
    .defineSlot(
      path,
      [
        [970, 90],
        [300, 250],
      ],
      id,
    )!
    .addService(tag.pubads());

/** A tag with the slots `top` and `side`, whose service is enabled. */
const ready = (): { readonly tag: Tag; readonly top: googletag.Slot; readonly side: googletag.Slot } => {
  const tag = load();
  const [top, side] = [define(tag, 'top'), define(tag, 'side')];
  tag.enableServices();
  return { tag, top, side };
};

let requests: RequestDetail[] = [];
let heard: string[] = [];
const ids = (): readonly (readonly string[])[] => requests.map(({ slots }) => slots);
const query = (): URLSearchParams => new URL(requests.at(-1)!.address).searchParams;
const frameIn = (id: string): HTMLIFrameElement | null => document.querySelector(`#${id} iframe`);
const settle = (): void => {
  jest.advanceTimersByTime(100);
};

const record = (tag: Tag, ...types: (keyof googletag.events.EventTypeMap)[]): string[] => {
  for (const type of types)
    tag.pubads().addEventListener(type, ({ slot }) => heard.push(`${type} ${slot.getSlotElementId()}`));
  return heard;
};

const hearRequest = (event: Event): void => void requests.push((event as CustomEvent<RequestDetail>).detail);
let [warn, error] = [jest.fn(), jest.fn()];

beforeEach(() => {
  jest.useFakeTimers();
  [requests, heard] = [[], []];
  FakeObserver.all = [];
  Object.assign(globalThis, { IntersectionObserver: FakeObserver });
  window.addEventListener(requestEvent, hearRequest);
  [warn, error] = [jest.fn(), jest.fn()];
  jest.spyOn(console, 'warn').mockImplementation(warn);
  jest.spyOn(console, 'error').mockImplementation(error);
});
afterEach(() => {
  window.removeEventListener(requestEvent, hearRequest);
  jest.useRealTimers();
  jest.restoreAllMocks();
  localStorage.clear();
});

describe('the queue of the stand-in for Google Publisher Tag', () => {
  it('runs what was queued, in order and with what comes meanwhile, and survives what throws', () => {
    const seen: unknown[] = [];
    const queued = [
      function (this: unknown): void {
        seen.push('a', this === globalThis);
        queued.push(() => seen.push('queued meanwhile'));
      },
      (): never => {
        throw new Error('page');
      },
      (): unknown => seen.push('b'),
    ];
    const tag = load(queued);
    expect(seen).toEqual(['a', true, 'b', 'queued meanwhile']);
    expect(error).toHaveBeenCalledTimes(1);
    expect(tag.apiReady).toBe(true);
  });

  it('then runs commands at once, and counts them', () => {
    const seen: string[] = [];
    const { cmd } = load([() => undefined]);
    expect([cmd.push(() => void seen.push('c')), seen]).toEqual([2, ['c']]);
  });
});

describe('targeting', () => {
  it('is lists of texts, in copies', () => {
    const pubads = load().pubads();
    pubads.setTargeting('one', 'a').setTargeting('two', ['b', 'c']);
    pubads.getTargeting('two').push('d');
    expect([pubads.getTargeting('one'), pubads.getTargeting('two'), pubads.getTargeting('absent')]).toEqual([
      ['a'],
      ['b', 'c'],
      [],
    ]);
    expect(pubads.clearTargeting('one').getTargetingKeys()).toEqual(['two']);
    expect(pubads.clearTargeting().getTargetingKeys()).toEqual([]);
  });

  it('refuses what is no text, with a warning and no throw', () => {
    const pubads = load().pubads();
    pubads.setTargeting('one', 7 as unknown as string).setTargeting('two', ['a', 8] as unknown as string[]);
    expect(pubads.getTargetingKeys()).toEqual([]);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('is not cleared by an empty list, which is not documented', () => {
    const pubads = load().pubads();
    pubads.setTargeting('one', 'a').setTargeting('one', []);
    expect([pubads.getTargetingKeys(), pubads.getTargeting('one')]).toEqual([['one'], []]);
  });

  it('is the same by setConfig, which merges keys, and where null clears', () => {
    const tag = load();
    tag.pubads().setTargeting('one', 'a');
    tag.setConfig({ targeting: { two: ['b', 'c'] } });
    expect(tag.getConfig('targeting')).toEqual({ targeting: { one: ['a'], two: ['b', 'c'] } });
    tag.setConfig({ targeting: { one: null } });
    expect(tag.pubads().getTargetingKeys()).toEqual(['two']);
    tag.setConfig({ targeting: null });
    expect(tag.getConfig('targeting')).toEqual({});
  });

  it('can be read with few other settings, in a frozen copy', () => {
    const tag = load();
    tag.setConfig({ singleRequest: true, disableInitialLoad: true, targeting: { one: 'a' } });
    const config = tag.getConfig(['targeting', 'disableInitialLoad', 'singleRequest']);
    expect(config).toEqual({ targeting: { one: ['a'] }, disableInitialLoad: true });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('can be had by the newer calls only', () => {
    const tag = load([], false);
    expect(tag.pubads()).not.toHaveProperty('setTargeting');
    tag.setConfig({ targeting: { one: 'a' } });
    expect(tag.getConfig('targeting')).toEqual({ targeting: { one: ['a'] } });
  });

  it('of a slot is apart from that of the page, and comes before it in the slot’s request', () => {
    const { tag, top } = ready();
    tag.pubads().setTargeting('permutive', '20213').setTargeting('pos', 'page');
    top.setTargeting('pos', 'top').updateTargetingFromMap({ permutive: ['20111'] });
    expect([top.getTargeting('pos'), top.getConfig('targeting')]).toEqual([
      ['top'],
      { targeting: { pos: ['top'], permutive: ['20111'] } },
    ]);
    expect(tag.pubads().getTargeting('pos')).toEqual(['page']);
    tag.display('top');
    settle();
    const asked = new URL(frameIn('top')!.src).searchParams;
    expect(asked.get('creative')).toBe('savings');
    expect(JSON.parse(asked.get('targeting')!)).toEqual({ permutive: ['20111'], pos: ['top'] });
  });
});

describe('slots', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['whose div has one already', '/1/other', 'top'],
    ['whose path has no network code', 'top', 'side'],
    ['whose path has no ad unit', '/1', 'side'],
    ['without a div', '/1/side', undefined],
  ])('are not made: one %s', (_, path, id) => {
    const tag = load();
    define(tag, 'top', '/1,2/parent/top');
    expect(tag.defineSlot(path as string, [300, 250], id as string)).toBeNull();
    expect(error).toHaveBeenCalledTimes(1);
  });

  it('belong to the service in the order in which they were added to it', () => {
    const tag = load();
    const [top, side] = [tag.defineSlot('/1/top', [1, 1], 'top')!, tag.defineSlot('/1/side', [1, 1], 'side')!];
    expect(tag.pubads().getSlots()).toEqual([]);
    side.addService(tag.pubads());
    top.addService(tag.pubads()).addService(tag.pubads());
    expect(tag.pubads().getSlots()).toEqual([side, top]);
  });

  it('have the documented calls only', () => {
    expect(Object.keys(ready().top)).not.toEqual(expect.arrayContaining(['getContentUrl']));
  });
});

describe('requests', () => {
  it('wait for enableServices, then for display of each slot', () => {
    const tag = load();
    define(tag, 'top');
    define(tag, 'side');
    expect(tag.pubadsReady).toBeUndefined();
    tag.pubads().refresh();
    tag.display('top');
    tag.enableServices();
    expect([tag.pubadsReady, ids()]).toEqual([true, []]);
    tag.display('top');
    tag.display(document.getElementById('side')!);
    expect(ids()).toEqual([['top'], ['side']]);
  });

  it('are not made for slots that are unknown, without a service or without an element', () => {
    const { tag } = ready();
    tag.display('nowhere');
    expect(error.mock.calls.flat().join()).toContain('does not match any defined slots: nowhere.');
    tag.defineSlot('/1/foot', [300, 250], 'foot');
    tag.display('foot');
    document.getElementById('side')!.remove();
    tag.display('side');
    expect([ids(), warn.mock.calls.length]).toEqual([[], 2]);
  });

  it('are made once by display, and again by refresh of that slot', () => {
    const { tag, top } = ready();
    tag.display(top);
    tag.display(top);
    tag.display('side');
    tag.pubads().refresh([top]);
    expect(ids()).toEqual([['top'], ['side'], ['top']]);
  });

  it('are one for all slots defined so far in single-request mode, which show once they are displayed', () => {
    const tag = load();
    expect(tag.pubads().enableSingleRequest()).toBe(true);
    define(tag, 'top');
    define(tag, 'side');
    tag.enableServices();
    record(tag, 'slotRequested', 'slotResponseReceived', 'slotRenderEnded');
    tag.display('top');
    define(tag, 'foot');
    settle();
    expect(ids()).toEqual([['top', 'side']]);
    expect(heard).toEqual([
      'slotRequested top',
      'slotRequested side',
      'slotResponseReceived top',
      'slotRenderEnded top',
      'slotResponseReceived side',
    ]);
    tag.display('side');
    expect(heard.at(-1)).toBe('slotRenderEnded side');
    tag.display('foot');
    expect(ids()).toEqual([['top', 'side'], ['foot']]);
  });

  it('have at most 30 slots', () => {
    const tag = load();
    tag.setConfig({ singleRequest: true });
    for (let i = 0; i < 31; i++) {
      document.body.append(Object.assign(document.createElement('div'), { id: `d${i}` }));
      define(tag, `d${i}`);
    }
    tag.enableServices();
    tag.display('d0');
    expect([requests[0]?.slots.length, warn.mock.calls.length]).toEqual([30, 1]);
  });

  it('wait for refresh where the initial load is off, and then are one for all', () => {
    const tag = load();
    tag.pubads().disableInitialLoad();
    tag.pubads().enableSingleRequest();
    define(tag, 'top');
    define(tag, 'side');
    tag.enableServices();
    expect(tag.pubads().isInitialLoadDisabled()).toBe(true);
    tag.display('top');
    tag.display('side');
    settle();
    expect(ids()).toEqual([]);
    tag.pubads().refresh();
    expect(ids()).toEqual([['top', 'side']]);
  });

  it('cannot be changed in their mode once the services are enabled', () => {
    const { tag } = ready();
    expect([tag.pubads().enableSingleRequest(), tag.pubads().collapseEmptyDivs()]).toEqual([false, false]);
    tag.pubads().disableInitialLoad();
    tag.setConfig({ singleRequest: true, disableInitialLoad: true });
    expect(tag.pubads().isInitialLoadDisabled()).toBe(false);
    expect(warn).toHaveBeenCalledTimes(5);
  });

  it('have one correlator a page view, which a refresh changes unless it says otherwise', () => {
    const { tag } = ready();
    const correlators = (): readonly (string | null)[] =>
      requests.map(({ address }) => new URL(address).searchParams.get('correlator'));
    tag.display('top');
    tag.display('side');
    tag.pubads().refresh(null, { changeCorrelator: false });
    expect(new Set(correlators()).size).toBe(1);
    tag.pubads().refresh();
    expect(new Set(correlators()).size).toBe(2);
    tag.pubads().updateCorrelator().refresh(null, { changeCorrelator: false });
    expect(new Set(correlators()).size).toBe(3);
  });

  it('carry the targeting of their own moment', () => {
    const { tag } = ready();
    tag.pubads().setTargeting('section', ['a', 'b']);
    tag.display('top');
    tag.pubads().setTargeting('section', 'later');
    settle();
    expect(query().get('cust_params')).toBe('section=a,b');
    expect(new URL(frameIn('top')!.src).searchParams.get('targeting')).toBe('{"section":["a","b"]}');
  });

  it('are cut off where they are too long, with a mark, and what is cut off sells nothing', () => {
    const { tag } = ready();
    const codes = Array.from({ length: 4000 }, (_, i) => String(30_000 + i));
    tag.pubads().setTargeting('permutive', [...codes, '20111']);
    tag.display('top');
    settle();
    expect(requests[0]!.address).toHaveLength(maxAddressLength);
    expect(requests[0]!.address).toMatch(/&trunc=1$/);
    expect(new URL(frameIn('top')!.src).searchParams.get('creative')).toBe('subscribe');
    tag.pubads().setTargeting('permutive', '20111');
    tag.pubads().refresh();
    settle();
    expect(requests[1]!.address).not.toContain('trunc');
    expect(new URL(frameIn('top')!.src).searchParams.get('creative')).toBe('savings');
  });

  it('lose keys of more than 20 characters', () => {
    const { tag } = ready();
    tag.pubads().setTargeting('k'.repeat(20), 'a').setTargeting('k'.repeat(21), 'b');
    tag.display('top');
    settle();
    expect(JSON.parse(new URL(frameIn('top')!.src).searchParams.get('targeting')!)).toEqual({
      ['k'.repeat(20)]: ['a'],
    });
  });

  it('carry an id that the publisher provides, if it is as long as one', () => {
    const { tag } = ready();
    tag.pubads().setPublisherProvidedId('a'.repeat(22)).setPublisherProvidedId('short');
    tag.display('top');
    expect(query().get('ppid')).toBe('a'.repeat(22));
  });
});

describe('lazy loading', () => {
  const lazy = (more: googletag.config.PageSettingsConfig = {}): Tag => {
    const tag = load();
    tag.setConfig({ lazyLoad: { fetchMarginPercent: 300, renderMarginPercent: 100 }, ...more });
    define(tag, 'top');
    define(tag, 'side');
    tag.enableServices();
    tag.display('top');
    tag.display('side');
    return tag;
  };

  it('asks for a slot once it is near, and renders its ad once it is nearer', () => {
    const tag = lazy();
    record(tag, 'slotRequested', 'slotResponseReceived', 'slotRenderEnded');
    settle();
    expect(heard).toEqual([]);
    expect(FakeObserver.near('side')).toEqual(['300%']);
    settle();
    expect(heard).toEqual(['slotRequested side', 'slotResponseReceived side']);
    expect(FakeObserver.near('side')).toEqual(['100%']);
    expect(heard.at(-1)).toBe('slotRenderEnded side');
    expect(ids()).toEqual([['side']]);
  });

  it('asks for all slots in single-request mode once the first is near', () => {
    lazy({ singleRequest: true });
    FakeObserver.near('side');
    expect(ids()).toEqual([['top', 'side']]);
  });

  it.each([
    ['null', { fetchMarginPercent: null, renderMarginPercent: null }],
    ['-1', { fetchMarginPercent: -1, renderMarginPercent: -1 }],
  ])('has no margin that is %s', (_, lazyLoad) => {
    lazy({ lazyLoad });
    settle();
    expect([ids(), frameIn('top') !== null]).toEqual([[['top'], ['side']], true]);
  });
});

describe('events', () => {
  it('come in order, the last once the creative has loaded', () => {
    const { tag } = ready();
    record(tag, 'slotOnload', 'slotRenderEnded', 'slotResponseReceived', 'slotRequested');
    tag.display('top');
    settle();
    frameIn('top')!.dispatchEvent(new Event('load'));
    expect(heard).toEqual(['slotRequested top', 'slotResponseReceived top', 'slotRenderEnded top', 'slotOnload top']);
  });

  const rendered = (path: string): { readonly event: unknown; readonly slot: googletag.Slot } => {
    const tag = load();
    const slot = define(tag, 'top', path);
    const listener = jest.fn();
    tag.pubads().setTargeting('permutive', ['20213', 'rts']).addEventListener('slotRenderEnded', listener);
    tag.enableServices();
    tag.display('top');
    settle();
    return { event: (listener.mock.calls as unknown[][])[0]?.[0], slot };
  };
  const none = { advertiserId: null, campaignId: null, creativeId: null, lineItemId: null, creativeTemplateId: null };

  it('tell of an ad that was reserved', () => {
    const { event, slot } = rendered('/1/top');
    const shown = { advertiserId: 4400112203, campaignId: 2802, lineItemId: 5123456711, creativeId: 138411 };
    expect(event).toEqual({
      ...shown,
      slot,
      serviceName: 'publisher_ads',
      isEmpty: false,
      slotContentChanged: true,
      size: [970, 90],
      creativeTemplateId: null,
      labelIds: null,
      sourceAgnosticCreativeId: 138411,
      sourceAgnosticLineItemId: 5123456711,
      isBackfill: false,
      yieldGroupIds: null,
      companyIds: null,
      responseIdentifier: expect.any(String) as unknown,
    });
    expect(slot.getResponseInformation()).toEqual({ ...shown, creativeTemplateId: null });
  });

  it('tell of no ad', () => {
    const { event, slot } = rendered('/1/unsold');
    expect(event).toMatchObject({
      ...none,
      isEmpty: true,
      size: null,
      isBackfill: false,
      sourceAgnosticCreativeId: null,
    });
    expect([slot.getResponseInformation(), frameIn('top')]).toEqual([null, null]);
  });

  it('tell of an ad of an exchange, without its ids', () => {
    expect(rendered('/1/backfill').event).toMatchObject({
      ...none,
      isEmpty: false,
      isBackfill: true,
      sourceAgnosticCreativeId: 138411,
      yieldGroupIds: [expect.any(Number)],
      companyIds: [expect.any(Number)],
    });
  });

  it('tell how much is in view, at most each 200 ms, and once that half of it was for a second', () => {
    const { tag } = ready();
    const percentages: number[] = [];
    tag.pubads().addEventListener('slotVisibilityChanged', (event) => percentages.push(event.inViewPercentage));
    record(tag, 'impressionViewable');
    tag.display('top');
    settle();
    for (const ratio of [0.1, 0.2, 0.6]) FakeObserver.see('top', ratio);
    expect(percentages).toEqual([10]);
    jest.advanceTimersByTime(199);
    expect(percentages).toEqual([10]);
    jest.advanceTimersByTime(1);
    expect(percentages).toEqual([10, 60]);
    FakeObserver.see('top', 0.4);
    jest.advanceTimersByTime(1000);
    expect(heard).toEqual([]);
    FakeObserver.see('top', 0.5);
    jest.advanceTimersByTime(999);
    expect(heard).toEqual([]);
    jest.advanceTimersByTime(2000);
    FakeObserver.see('top', 0.9);
    jest.advanceTimersByTime(2000);
    expect(heard).toEqual(['impressionViewable top']);
  });

  it('want less of a large ad', () => {
    const tag = load();
    tag.defineSlot('/1/top', [970, 250], 'top')!.addService(tag.pubads());
    tag.enableServices();
    record(tag, 'impressionViewable');
    tag.display('top');
    settle();
    FakeObserver.see('top', 0.3);
    jest.advanceTimersByTime(1000);
    expect(heard).toEqual(['impressionViewable top']);
  });

  it('have names in which case counts, and listeners that can be removed', () => {
    const { tag } = ready();
    const listener = jest.fn();
    tag.pubads().addEventListener('slotrequested' as 'slotRequested', listener);
    expect(warn).toHaveBeenCalledTimes(1);
    tag.pubads().addEventListener('slotRequested', listener);
    tag.pubads().removeEventListener('slotRequested', listener);
    tag.pubads().removeEventListener('slotRequested', listener);
    tag.display('top');
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('frames', () => {
  const originOf = (id: string): string => new URL(frameIn(id)!.src).origin;

  it('are SafeFrames where page or slot say so, with an origin of their own each', () => {
    const { tag, side } = ready();
    define(tag, 'foot');
    tag.setConfig({ safeFrame: { forceSafeFrame: true, sandbox: true } });
    side.setConfig({ safeFrame: { forceSafeFrame: false } });
    for (const id of ['top', 'side', 'foot']) tag.display(id);
    settle();
    expect(originOf('top')).toMatch(/^http:\/\/[\w-]+\.safeframe\.localhost$/);
    expect(originOf('foot')).not.toBe(originOf('top'));
    expect(originOf('side')).toBe(location.origin);
    expect(frameIn('top')!.getAttribute('sandbox')).toContain('allow-top-navigation-by-user-activation');
    expect(frameIn('side')!.hasAttribute('sandbox')).toBe(false);
  });

  it('are SafeFrames where the creative is of a third party', () => {
    const { tag } = ready();
    tag.pubads().setTargeting('permutive', '20213');
    tag.display('top');
    settle();
    expect(originOf('top')).not.toBe(location.origin);
  });

  it.each([
    ['ON_NO_FILL', '/1/unsold', [false, true]],
    ['BEFORE_FETCH', '/1/unsold', [true, true]],
    ['BEFORE_FETCH', '/1/top', [true, false]],
    ['DISABLED', '/1/unsold', [false, false]],
  ] as const)('take no room by %s: %s', (collapseDiv, path, hidden) => {
    const tag = load();
    tag.pubads().collapseEmptyDivs(true);
    define(tag, 'top', path).setConfig({ collapseDiv });
    tag.enableServices();
    tag.display('top');
    const before = document.getElementById('top')!.hidden;
    settle();
    expect([before, document.getElementById('top')!.hidden]).toEqual(hidden);
  });

  it('go with clear, after which the slot counts as not fetched, and answers under way are not heard', () => {
    const tag = load();
    tag.setConfig({ singleRequest: true });
    const top = define(tag, 'top');
    define(tag, 'side');
    tag.enableServices();
    tag.display('top');
    settle();
    expect(tag.pubads().clear([top])).toBe(true);
    expect([frameIn('top'), top.getResponseInformation()]).toEqual([null, null]);
    tag.pubads().refresh([top]);
    tag.pubads().clear([top]);
    settle();
    expect(frameIn('top')).toBeNull();
    tag.display('side');
    define(tag, 'foot');
    tag.display('foot');
    expect(ids().at(-1)).toEqual(['top', 'foot']);
  });

  it('go with destroySlots, which makes the div free', () => {
    const { tag, top, side } = ready();
    tag.display('top');
    settle();
    expect(tag.destroySlots([top])).toBe(true);
    expect([frameIn('top'), tag.pubads().getSlots()]).toEqual([null, [side]]);
    expect(tag.defineSlot('/1/top', [300, 250], 'top')).not.toBeNull();
    expect([tag.destroySlots(), tag.destroySlots()]).toEqual([true, false]);
  });
});

describe('secure signals', () => {
  it('are asked of each provider with one name, kept, and cleared', async () => {
    const tag = load();
    const collectorFunction = (): Promise<string> => Promise.resolve('signal');
    tag.secureSignalProviders!.push({ id: 'one', collectorFunction });
    tag.secureSignalProviders!.push({ networkCode: '1', collectorFunction });
    tag.secureSignalProviders!.push({ id: 'a', networkCode: 'b', collectorFunction });
    await Promise.resolve();
    expect(Object.keys(localStorage).sort()).toEqual(['_GESPSK-1', '_GESPSK-one']);
    expect(warn).toHaveBeenCalledTimes(1);
    (tag.secureSignalProviders as googletag.secureSignals.SecureSignalProvidersArray).clearAllCache();
    expect(Object.keys(localStorage)).toEqual([]);
  });
});
