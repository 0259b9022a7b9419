/** @jest-environment jsdom */
import type { AdListeners } from '../../../demo/page/standIns/apntag/events';
import { installApntag } from '../../../demo/page/standIns/apntag/install';
import type { Keywords, PageOpts, Tag, TagParams } from '../../../demo/page/standIns/apntag/tags';

interface Apntag extends Omit<AdListeners, 'emit'> {
  readonly anq: { readonly push: (command: () => unknown) => void };
  readonly setPageOpts: (options: PageOpts) => void;
  readonly defineTag: (params: Partial<TagParams>) => Tag | undefined;
  readonly modifyTag: (targetId: string, params: Partial<TagParams>) => void;
  readonly getTag: {
    (): Readonly<Record<string, Tag>>;
    (targetId: string): Tag | undefined;
  };
  readonly setKeywords: (targetId: string, keywords: Keywords, options?: { overrideKeyValue: boolean }) => void;
  readonly loadTags: (ids?: string | readonly string[]) => void;
  readonly showTag: (targetId: string) => void;
  readonly refresh: (ids?: readonly string[]) => void;
  readonly clearRequest: (ids?: string | readonly string[]) => void;
  readonly collapseAd: (targetId: string) => void;
}

const load = (queued: (() => unknown)[] = []): Apntag => {
  document.body.innerHTML = '<div id="one"></div><div id="two"></div>';
  (window as unknown as Record<string, unknown>)['apntag'] = { anq: queued };
  installApntag();
  return (window as unknown as { apntag: Apntag }).apntag;
};
const size = { sizes: [300, 250] };
/** A tag with the placements `one` and `two`. */
const ready = (more: Partial<TagParams> = {}): Apntag => {
  const apntag = load();
  apntag.setPageOpts({ member: 958, keywords: { genre: 'rock' } });
  apntag.defineTag({ targetId: 'one', tagId: 1, ...size, ...more });
  apntag.defineTag({ targetId: 'two', tagId: 2, ...size });
  return apntag;
};
const types = ['adRequested', 'adAvailable', 'adLoaded', 'adNoBid', 'adBadRequest', 'adRequestFailure'] as const;
const record = (apntag: Apntag, targetId?: string): unknown[][] => {
  const heard: unknown[][] = [];
  for (const type of types)
    if (targetId === undefined) apntag.onEvent(type, (...given: unknown[]) => heard.push([type, ...given]));
    else apntag.onEvent(type, targetId, (...given: unknown[]) => heard.push([type, ...given]));
  return heard;
};
const names = (heard: readonly (readonly unknown[])[]): readonly unknown[] => heard.map(([type]) => type);
const frameIn = (id: string): HTMLIFrameElement | null => document.querySelector(`#${id} iframe`);
const soldOn = (id: string): unknown => JSON.parse(new URL(frameIn(id)!.src).searchParams.get('targeting')!);
const settle = (): void => {
  jest.advanceTimersByTime(100);
};

let [warn, error] = [jest.fn(), jest.fn()];
beforeEach(() => {
  jest.useFakeTimers();
  [warn, error] = [jest.fn(), jest.fn()];
  jest.spyOn(console, 'warn').mockImplementation(warn);
  jest.spyOn(console, 'error').mockImplementation(error);
  Object.assign(crypto, { randomUUID: () => 'uuid' });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('the stand-in for the AppNexus seller tag', () => {
  it('runs what was queued in order, then commands at once', () => {
    const seen: string[] = [];
    const { anq } = load([() => seen.push('a'), () => seen.push('b')]);
    anq.push(() => seen.push('c'));
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it.each<readonly [string, Partial<TagParams>]>([
    ['a target', { tagId: 1, member: 9 }],
    ['a placement', { targetId: 'one', member: 9 }],
    ['a member', { targetId: 'one', invCode: 'a' }],
    ['one way to say its sizes', { targetId: 'one', tagId: 1, member: 9, ...size, sizeMapping: [] }],
  ])('defines no tag without %s', (_, params) => {
    const apntag = load();
    expect(apntag.defineTag(params)).toBeUndefined();
    expect([apntag.getTag(), error.mock.calls.length]).toEqual([{}, 1]);
  });

  it('has the tags by their targets, without keywords until there are some', () => {
    const apntag = ready({ invCode: 'a' });
    expect(Object.keys(apntag.getTag())).toEqual(['one', 'two']);
    expect(apntag.getTag('one')).toMatchObject({ tagId: 1, invCode: 'a', tagNumber: 0, initialWidth: 300 });
    expect(apntag.getTag('one')).not.toHaveProperty('keywords');
    expect(apntag.getTag('three')).toBeUndefined();
  });

  it('warns of more than 12 tags, and of options of the page that come too late', () => {
    const apntag = ready();
    for (let i = 0; i < 11; i++) apntag.defineTag({ targetId: `t${i}`, tagId: 1 });
    expect(warn).toHaveBeenCalledTimes(1);
    apntag.setPageOpts({ member: 1 });
    expect(warn).toHaveBeenCalledTimes(3);
  });

  it('adds keywords, or puts them in the place of those of the same keys', () => {
    const apntag = ready({ keywords: { artist: 'Prince' } });
    apntag.setKeywords('one', { genre: ['rock', 'pop'] });
    apntag.setKeywords('one', { genre: 'jazz', artist: ['Bach'] });
    expect(apntag.getTag('one')?.keywords).toEqual({ artist: ['Prince', 'Bach'], genre: ['rock', 'pop', 'jazz'] });
    apntag.setKeywords('one', { genre: [] }, { overrideKeyValue: true });
    expect(apntag.getTag('one')?.keywords).toEqual({ artist: ['Prince', 'Bach'], genre: [] });
    apntag.setKeywords('three', { genre: 'pop' });
    expect(warn).toHaveBeenCalledTimes(1);
    apntag.setKeywords('one', Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`k${i}`, 'v'])));
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('changes what a tag was defined with, save for its target', () => {
    const apntag = ready();
    apntag.modifyTag('one', { tagId: 7 });
    expect(apntag.getTag('one')).toMatchObject({ tagId: 7, sizes: [300, 250] });
    apntag.modifyTag('one', { targetId: 'three' });
    expect([Object.keys(apntag.getTag()), warn.mock.calls.length]).toEqual([['one', 'two'], 1]);
  });

  it('asks for ads by loadTags, of all tags or of some, and shows them by showTag', () => {
    const apntag = ready();
    const heard = record(apntag, 'one');
    apntag.showTag('one');
    settle();
    expect([heard, frameIn('one')]).toEqual([[], null]);
    apntag.loadTags(['one']);
    expect(heard).toEqual([['adRequested']]);
    settle();
    expect(names(heard)).toEqual(['adRequested', 'adAvailable', 'adLoaded']);
    apntag.loadTags();
    settle();
    expect(frameIn('two')).toBeNull();
    apntag.showTag('two');
    expect(frameIn('two')).not.toBeNull();
    expect(apntag.getTag('two')).toMatchObject({ utCalled: true, showTagCalled: true, displayed: true });
  });

  it('describes an ad alike where it is available and where it is loaded', () => {
    const apntag = ready();
    const heard = record(apntag, 'one');
    apntag.loadTags();
    apntag.showTag('one');
    settle();
    const ad = {
      targetId: 'one',
      tagId: 1,
      auctionId: expect.any(String) as unknown,
      adType: 'banner',
      source: 'rtb',
      cpm: 1.2,
      cpm_publisher_currency: 1.1,
      publisher_currency_code: '$',
      isExclusive: false,
      isRoadblock: false,
      buyerMemberId: 958,
      creativeId: 98012,
      banner: { width: 300, height: 250, content: expect.any(String) as unknown },
    };
    expect(heard.slice(1)).toEqual([
      ['adAvailable', ad],
      ['adLoaded', ad],
    ]);
  });

  it.each([
    [204, 'adNoBid', { auctionId: expect.any(String) as unknown, nobid: true, tagId: 204 }],
    [
      404,
      'adBadRequest',
      expect.objectContaining({ code: 0, targetId: 'one', exception: expect.any(Error) as unknown }),
    ],
    [503, 'adRequestFailure', expect.objectContaining({ code: 0, targetId: 'one' })],
  ])('tells of placement %s by %s', (tagId, type, given) => {
    const apntag = ready({ tagId });
    const heard = record(apntag, 'one');
    apntag.loadTags('one');
    apntag.showTag('one');
    settle();
    expect(heard).toEqual([['adRequested'], [type, given]]);
    expect(frameIn('one')).toBeNull();
  });

  it('sells on the keywords of the page and of the tag, as they are at the request', () => {
    const apntag = ready();
    apntag.setKeywords('one', { permutive: ['7'] });
    apntag.loadTags();
    apntag.setKeywords('one', { permutive: ['8'] });
    apntag.showTag('one');
    settle();
    expect(soldOn('one')).toEqual({ genre: 'rock', permutive: ['7'] });
    apntag.refresh(['one']);
    settle();
    expect(soldOn('one')).toEqual({ genre: 'rock', permutive: ['7', '8'] });
  });

  it('asks anew by refresh, and replaces the frames', () => {
    const apntag = ready();
    apntag.loadTags();
    apntag.showTag('one');
    settle();
    const [first, heard] = [frameIn('one'), record(apntag)];
    apntag.refresh();
    settle();
    expect(names(heard)).toEqual(['adRequested', 'adRequested', 'adAvailable', 'adLoaded', 'adAvailable']);
    expect(frameIn('one')).not.toBe(first);
    expect(document.querySelectorAll('#one iframe')).toHaveLength(1);
  });

  it('asks for no ad in a window that is smaller than all of a tag’s mapping', () => {
    const apntag = ready();
    const wide = { minWidth: 2000, sizes: [[970, 90]] };
    apntag.defineTag({ targetId: 'one', tagId: 1, sizeMapping: [wide] });
    const heard = record(apntag, 'one');
    apntag.loadTags();
    expect(heard).toEqual([]);
    apntag.modifyTag('one', { sizeMapping: [wide, { minWidth: 400, sizes: [320, 50] }] });
    apntag.loadTags('one');
    apntag.showTag('one');
    settle();
    expect(frameIn('one')?.width).toBe('320');
  });

  it('leaves native ads to the page', () => {
    const apntag = ready({ allowedFormats: ['native'] });
    const heard = record(apntag, 'one');
    apntag.loadTags();
    apntag.showTag('one');
    settle();
    expect(heard.at(-1)).toEqual([
      'adLoaded',
      expect.objectContaining({ adType: 'native', native: expect.anything() as unknown }),
    ]);
    expect(document.getElementById('one')!.childNodes).toHaveLength(0);
  });

  it.each<readonly [string, PageOpts, Partial<TagParams>, boolean]>([
    ['by the page', { member: 9, enableSafeFrame: true }, {}, true],
    ['by the tag', { member: 9 }, { enableSafeFrame: true }, true],
    ['not, where the tag says so', { member: 9, enableSafeFrame: true }, { enableSafeFrame: false }, false],
  ])('has SafeFrames %s', (_, page, params, isSafe) => {
    const apntag = load();
    apntag.setPageOpts(page);
    apntag.defineTag({ targetId: 'one', tagId: 1, ...size, ...params });
    apntag.loadTags();
    apntag.showTag('one');
    settle();
    expect(new URL(frameIn('one')!.src).origin !== location.origin).toBe(isSafe);
  });

  it('clears listeners of one target, or all of an event', () => {
    const apntag = ready();
    const [ofOne, ofAll] = [jest.fn(), jest.fn()];
    apntag.onEvent('adCollapse', 'one', ofOne);
    apntag.onEvent('adCollapse', ofAll);
    apntag.onEvent('adcollapse', ofAll);
    expect(warn).toHaveBeenCalledTimes(1);
    apntag.collapseAd('one');
    apntag.offEvent('adCollapse', 'one');
    apntag.collapseAd('one');
    apntag.offEvent('adCollapse');
    apntag.collapseAd('one');
    expect([ofOne.mock.calls, ofAll.mock.calls]).toEqual([[[]], [[], []]]);
  });

  it('forgets tags by clearRequest, and leaves the document alone', () => {
    const apntag = ready();
    apntag.loadTags();
    apntag.showTag('one');
    settle();
    const heard = record(apntag);
    apntag.refresh();
    apntag.clearRequest('one');
    settle();
    expect([Object.keys(apntag.getTag()), names(heard)]).toEqual([
      ['two'],
      ['adRequested', 'adRequested', 'adAvailable'],
    ]);
    expect(frameIn('one')).not.toBeNull();
    apntag.clearRequest();
    expect(apntag.defineTag({ targetId: 'one', tagId: 1 })).toBeUndefined();
  });
});
