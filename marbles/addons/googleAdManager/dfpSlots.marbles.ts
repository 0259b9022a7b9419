import { BehaviorSubject, type Observable, of, throwError } from 'rxjs';

import type { AddonDeps, AddonStreams } from '../../../src/addons/addon';
import { dfpWith } from '../../../src/addons/googleAdManager/dfp';
import type { SlotEvent, SlotEventType } from '../../../src/addons/googleAdManager/googletag';
import { slotClicks } from '../../../src/addons/googleAdManager/slotClicks';
import type { LoadClicks } from '../../../src/addons/googleAdManager/slotEvents';
import type { EventDraft } from '../../../src/model/event';
import { addonDeps, addonStreams, tagDoor } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';
import { type FakeGoogletag, fakeGoogletag, slotOf } from './fakeGoogletag';

const fail = (cause: unknown): never => {
  throw cause;
};
const [top, side] = [slotOf('top'), slotOf('side')];
const answer = {
  slot: top,
  serviceName: 'publisher_ads',
  isEmpty: false,
  size: [970, 90],
  advertiserId: 1,
  campaignId: 2,
  lineItemId: 3,
  creativeId: 4,
};
const slot = { ad_unit_path: '/21/top', slot_element_id: 'top', targeting_keys: [] };
const shown = {
  advertiser_id: 1,
  campaign_id: 2,
  line_item_id: 3,
  creative_id: 4,
  is_empty: false,
  service_name: 'publisher_ads',
  slot,
  width: 970,
  height: 90,
  rendered_timestamp: 1_767_268_800_000,
};
const [rendered, viewable, clicked] = ['SlotRendered', 'SlotViewable', 'SlotClicked'].map((name) => ({
  name,
  properties: shown,
}));
const request = { name: 'AdRequest', properties: { ad_server_id: 'dfp', cohorts: ['c1'] } };

/** The addon on a page with a tag whose events come as a stream. */
const playing = (
  tag: FakeGoogletag,
  event$: Observable<readonly [SlotEventType, SlotEvent]>,
  {
    options = {},
    streams = {},
    deps = addonDeps(),
    loadClicks = () => of(slotClicks),
  }: { options?: object; streams?: Partial<AddonStreams>; deps?: AddonDeps; loadClicks?: LoadClicks } = {},
): Observable<EventDraft> => {
  const dfp = dfpWith(loadClicks);
  event$.subscribe(([type, event]) => tag.say(type, event));
  return dfp.run(
    addonStreams({ view$: new BehaviorSubject('view'), ...tagDoor(new BehaviorSubject(tag)), ...streams }),
    new BehaviorSubject(dfp.options(options, fail)),
    deps,
  );
};
const events: Readonly<Record<string, readonly [SlotEventType, SlotEvent]>> = {
  q: ['slotRequested', { slot: top }],
  r: ['slotRenderEnded', answer],
  v: ['impressionViewable', { slot: top }],
};
const focusOn = (id: string) => (asked: string) =>
  asked === id ? { windows: [], hasFocus: true, holds: () => false } : undefined;

describe('dfp: slots', () => {
  marble('tracks requests, renderings and views', ({ hot, expectObservable }) => {
    const tag = fakeGoogletag([top, side], { permutive: ['c1', 'rts'] });
    expectObservable(playing(tag, hot('-q-r-v', events))).toBe('-q-r-v', { q: request, r: rendered, v: viewable });
  });

  marble('hears clicks from when their code has loaded, with what was rendered before', ({ hot, expectObservable }) => {
    const [tag, deps] = [fakeGoogletag([top]), addonDeps({ adIn: focusOn('top') })];
    const streams = { focusLoss$: hot('--f---f') };
    const loaded$ = hot('----l', { l: slotClicks });
    const given = { streams, deps, loadClicks: () => loaded$ };
    expectObservable(playing(tag, hot('-r', events), given)).toBe('-r----c', {
      r: rendered,
      c: clicked,
    });
  });

  marble('tracks everything but clicks where their code cannot be loaded', ({ hot, expectObservable }) => {
    const tag = fakeGoogletag([top], { permutive: ['c1'] });
    const loadClicks = () => throwError(() => new Error('Loading chunk deferred failed'));
    expectObservable(playing(tag, hot('-q-r-v', events), { loadClicks })).toBe('-q-r-v', {
      q: request,
      r: rendered,
      v: viewable,
    });
  });

  marble(
    'takes the words of a slot without a size, and a viewed slot that it has not seen rendered',
    ({ hot, expectObservable }) => {
      const empty = { slot: side, isEmpty: true, size: 'fluid' };
      const sideSlot = { ...slot, ad_unit_path: '/21/side', slot_element_id: 'side' };
      const nothing = {
        advertiser_id: null,
        campaign_id: null,
        line_item_id: null,
        creative_id: null,
        service_name: null,
        width: null,
        height: null,
      };
      expectObservable(
        playing(fakeGoogletag([]), hot('-v-e', { ...events, e: ['slotRenderEnded', empty] as const })),
      ).toBe('-v-e', {
        v: { name: 'SlotViewable', properties: { slot } },
        e: {
          name: 'SlotRendered',
          properties: { ...nothing, is_empty: true, slot: sideSlot, rendered_timestamp: shown.rendered_timestamp },
        },
      });
    },
  );

  marble(
    'adds the slot’s targeting where that is wanted, from the older or the newer calls',
    ({ hot, expectObservable }) => {
      const newer = {
        ...slotOf('top'),
        getTargetingKeys: undefined,
        getConfig: () => ({ targeting: { pos: ['pos of top'] } }),
      };
      for (const own of [top, newer as never as typeof top]) {
        const tag = fakeGoogletag([own]);
        const event$ = hot('-r', { r: ['slotRenderEnded', { ...answer, slot: own }] as const });
        const properties = { ...shown, slot: { ...slot, targeting_keys: [{ key: 'pos', value: ['pos of top'] }] } };
        expectObservable(playing(tag, event$, { options: { track_targeting_keys: true } })).toBe('-r', {
          r: { name: 'SlotRendered', properties },
        });
      }
    },
  );

  it.each([
    ['track_slot_rendered', '---v'],
    ['track_slot_viewable', '-r--'],
    ['track_slot_clicked', '-r-v'],
  ])('leaves out what %s turns off', (option, expected) => {
    marbles(({ hot, expectObservable }) => {
      const tag = fakeGoogletag([top]);
      const streams = { focusLoss$: hot('-----b') };
      expectObservable(
        playing(tag, hot('-r-v', events), {
          options: { [option]: false },
          streams,
          deps: addonDeps({ adIn: focusOn(option === 'track_slot_clicked' ? 'top' : '') }),
        }),
      ).toBe(expected, { r: rendered, v: viewable });
    })();
  });

  marble('takes focus in a slot’s frame for a click, once in 1000 ms', ({ hot, expectObservable }) => {
    const streams = { focusLoss$: hot('--b-b 995ms b 499ms b') };
    expectObservable(
      playing(fakeGoogletag([side, top]), hot('r', events), { streams, deps: addonDeps({ adIn: focusOn('top') }) }),
    ).toBe('r-c 1497ms c', { r: rendered, c: clicked });
  });

  marble('takes no focus elsewhere for a click', ({ hot, expectObservable }) => {
    expectObservable(
      playing(fakeGoogletag([side, top]), hot('r', events), {
        streams: { focusLoss$: hot('--b-b') },
        deps: addonDeps({ adIn: focusOn('article') }),
      }),
    ).toBe('r', { r: rendered });
  });

  marble(
    'says after 5,000 ms that an ad request went out without this page’s cohorts',
    ({ hot, cold, expectObservable, flush }) => {
      const deps = addonDeps();
      const deferredParts$ = cold('5001ms o', { o: { members: [], activations: {}, isRealtime: true } });
      const tag = fakeGoogletag([top], { permutive: ['c1'] });
      expectObservable(playing(tag, hot('q 99ms q', events), { deps, streams: { cohorts$: deferredParts$ } })).toBe(
        'q 99ms q',
        {
          q: request,
        },
      );
      flush();
      expect(deps.report.mock.calls).toEqual([['Timeout for targeting metrics.', new Error('Timeout has occurred')]]);
    },
  );

  marble(
    'says nothing of an ad request that this page’s cohorts follow in time',
    ({ hot, cold, expectObservable, flush }) => {
      const deps = addonDeps();
      const cohorts$ = cold('4999ms o', { o: { members: [], activations: {}, isRealtime: true } });
      expectObservable(
        playing(fakeGoogletag([top], { permutive: ['c1'] }), hot('q', events), { deps, streams: { cohorts$ } }),
      ).toBe('q', { q: request });
      flush();
      expect(deps.report).not.toHaveBeenCalled();
    },
  );

  marble('says once that targeting was cut off', ({ hot, expectObservable, flush }) => {
    const deps = addonDeps();
    const long = slotOf('top', {
      getContentUrl: () => 'https://securepubads.g.doubleclick.net/gampad/ads?cust_params=a&trunc=1',
    });
    // Slots have the method in some versions of the tag only.
    const event$ = hot('s-r-r', {
      s: ['slotRenderEnded', { ...answer, slot: top }] as const,
      r: ['slotRenderEnded', { ...answer, slot: long }] as const,
    });
    expect(top).not.toHaveProperty('getContentUrl');
    expectObservable(
      playing(fakeGoogletag([top, long]), event$, { deps, options: { track_slot_rendered: false } }),
    ).toBe('-');
    flush();
    expect(deps.report.mock.calls).toEqual([['Slot targeting is too long for one ad request and was cut off']]);
  });

  marble('loses one event to a slot that throws, and no more', ({ hot, expectObservable, flush }) => {
    const deps = addonDeps();
    const broken = slotOf('broken', { getAdUnitPath: () => fail(new Error('broken')) });
    const event$ = hot('-b-r', { ...events, b: ['slotRenderEnded', { ...answer, slot: broken }] as const });
    expectObservable(playing(fakeGoogletag([broken, top]), event$, { deps })).toBe('---r', { r: rendered });
    flush();
    expect(deps.report.mock.calls).toEqual([['DFP failed to read a slot', new Error('broken')]]);
  });

  marble('listens to nothing once it is unsubscribed', ({ hot, expectObservable, flush }) => {
    const tag = fakeGoogletag([top]);
    expectObservable(playing(tag, hot('-r-r', events)), '^-!').toBe('-r', { r: rendered });
    flush();
    expect(tag.listening()).toBe(0);
  });
});
