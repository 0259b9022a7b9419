/** @jest-environment jsdom */
/* eslint-disable @typescript-eslint/no-deprecated -- pages still use the older calls, so the stand-in has them */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const code = readFileSync(join(__dirname, '../../demo/page/assets/googletag.js'), 'utf8');

type Tag = typeof googletag & { readonly pubadsReady: boolean };

class NoObserver {
  observe(): void {}
  disconnect(): void {}
}

const load = (queued: (() => void)[] = [], api = 'all'): Tag => {
  document.body.innerHTML = '<div id="top"></div><div id="side"></div>';
  Object.assign(globalThis, { IntersectionObserver: NoObserver });
  (window as unknown as Record<string, unknown>)['googletag'] = { cmd: queued };
  Object.defineProperty(document, 'currentScript', { value: { dataset: { api } }, configurable: true });
  // The file is a page's script: it is run the way a page runs it.
  (0, eval)(code);
  return (window as unknown as { googletag: Tag }).googletag;
};

const eventNames = ['slotRequested', 'slotResponseReceived', 'slotRenderEnded', 'slotOnload'] as const;
const record = (tag: Tag): string[] => {
  const seen: string[] = [];
  for (const name of eventNames)
    tag.pubads().addEventListener(name, ({ slot }) => seen.push(`${name} ${slot.getSlotElementId()}`));
  return seen;
};

const define = (tag: Tag): void => {
  tag
    .defineSlot(
      '/1/top',
      [
        [970, 90],
        [320, 100],
      ],
      'top',
    )!
    .addService(tag.pubads());
  tag.defineSlot('/1/side', [300, 250], 'side')!.addService(tag.pubads());
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the stand-in for Google Publisher Tag', () => {
  it('says that it is one', () => {
    expect(code.slice(0, 100)).toContain('stand-in for Google Publisher Tag');
  });

  it('runs what was queued in order, then everything at once, and survives what throws', () => {
    const complain = jest.spyOn(console, 'error').mockImplementation(() => {});
    const seen: string[] = [];
    const tag = load([
      () => seen.push('a'),
      () => {
        throw new Error('page');
      },
      () => seen.push('b'),
    ]);
    tag.cmd.push(() => {
      seen.push('c');
    });
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(complain).toHaveBeenCalledTimes(1);
    expect(tag.apiReady).toBe(true);
  });

  it('keeps page targeting as lists of strings, in copies', () => {
    const pubads = load().pubads();
    pubads.setTargeting('one', 'a').setTargeting('two', ['b', 'c']);
    pubads.getTargeting('two').push('d');
    expect(pubads.getTargeting('one')).toEqual(['a']);
    expect(pubads.getTargeting('two')).toEqual(['b', 'c']);
    expect(pubads.getTargeting('absent')).toEqual([]);
    expect(pubads.getTargetingKeys()).toEqual(['one', 'two']);
    expect(pubads.clearTargeting('one').getTargetingKeys()).toEqual(['two']);
    expect(pubads.clearTargeting().getTargetingKeys()).toEqual([]);
  });

  it('has the same table behind setConfig', () => {
    const tag = load();
    tag.pubads().setTargeting('one', 'a');
    tag.setConfig({ targeting: { two: ['b', 'c'] } });
    expect(tag.getConfig('targeting')).toEqual({ targeting: { one: ['a'], two: ['b', 'c'] } });
    tag.setConfig({ targeting: { one: null } });
    expect(tag.pubads().getTargetingKeys()).toEqual(['two']);
    tag.setConfig({ targeting: null });
    expect(tag.getConfig('targeting')).toEqual({ targeting: {} });
  });

  it('can be the newer API only', () => {
    const tag = load([], 'config');
    expect(tag.pubads()).not.toHaveProperty('setTargeting');
    tag.setConfig({ targeting: { one: 'a' } });
    expect(tag.getConfig('targeting')).toEqual({ targeting: { one: ['a'] } });
  });

  it('keeps targeting of a slot apart from that of the page', () => {
    const tag = load();
    const slot = tag.defineSlot('/1/top', [970, 90], 'top')!.setTargeting('pos', 'top');
    expect(slot.getTargeting('pos')).toEqual(['top']);
    expect(slot.getAdUnitPath()).toBe('/1/top');
    expect(slot.getSlotElementId()).toBe('top');
    expect(tag.pubads().getTargeting('pos')).toEqual([]);
    expect(tag.defineSlot('/1/other', [970, 90], 'top')).toBeNull();
  });

  it('asks for nothing before services are enabled and the slot is displayed', () => {
    const tag = load();
    const seen = record(tag);
    define(tag);
    tag.pubads().refresh();
    expect(seen).toEqual([]);
    tag.enableServices();
    expect(tag.pubadsReady).toBe(true);
    tag.pubads().refresh();
    expect(seen).toEqual([]);
    tag.display('top');
    jest.advanceTimersByTime(100);
    expect(seen).toEqual(['slotRequested top', 'slotResponseReceived top', 'slotRenderEnded top']);
    document.querySelector('#top iframe')!.dispatchEvent(new Event('load'));
    expect(seen.at(-1)).toBe('slotOnload top');
  });

  it('waits for refresh when the initial load is off, and then asks for all in one request', () => {
    const tag = load();
    const seen = record(tag);
    define(tag);
    tag.pubads().enableSingleRequest();
    tag.pubads().disableInitialLoad();
    tag.enableServices();
    tag.display('top');
    tag.display('side');
    jest.advanceTimersByTime(100);
    expect(seen).toEqual([]);
    tag.pubads().refresh();
    jest.advanceTimersByTime(100);
    expect(seen.slice(0, 2)).toEqual(['slotRequested top', 'slotRequested side']);
    expect(seen.slice(2)).toEqual([
      'slotResponseReceived top',
      'slotRenderEnded top',
      'slotResponseReceived side',
      'slotRenderEnded side',
    ]);
  });

  it('chooses by cohort, and tells what it was asked with', () => {
    const tag = load();
    const ended = jest.fn();
    tag.pubads().addEventListener('slotRenderEnded', ended);
    define(tag);
    tag.pubads().setTargeting('permutive', ['20213', 'rts']);
    tag.enableServices();
    tag.display('side');
    jest.advanceTimersByTime(100);
    expect(ended).toHaveBeenCalledWith(
      expect.objectContaining({
        isEmpty: false,
        size: [300, 250],
        serviceName: 'publisher_ads',
        advertiserId: 4400112203,
        campaignId: 2802,
        lineItemId: 5123456711,
        creativeId: 138411,
      }),
    );
    const asked = new URL(document.querySelector('iframe')!.src).searchParams;
    expect(asked.get('creative')).toBe('security');
    expect(JSON.parse(asked.get('targeting')!)).toEqual({ permutive: ['20213', 'rts'] });
  });

  it('forgets listeners and slots', () => {
    const tag = load();
    const seen = jest.fn();
    tag.pubads().addEventListener('slotRequested', seen);
    tag.pubads().removeEventListener('slotRequested', seen);
    tag.pubads().removeEventListener('slotRequested', seen);
    define(tag);
    tag.enableServices();
    tag.display('top');
    jest.advanceTimersByTime(100);
    expect(seen).not.toHaveBeenCalled();
    expect(tag.destroySlots()).toBe(true);
    expect(tag.pubads().getSlots()).toEqual([]);
    expect(document.querySelector('iframe')).toBeNull();
  });
});
