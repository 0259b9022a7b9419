import { BehaviorSubject, type Observable, switchMap } from 'rxjs';

import type { AddonDeps, AddonStreams } from '../../../src/addons/addon';
import type { Apntag, ApntagOnPage, AppNexusAd } from '../../../src/addons/appnexus/apntag';
import { appnexusAdserver } from '../../../src/addons/appnexus/appnexusAdserver';
import { appnexusContextual } from '../../../src/addons/appnexus/appnexusContextual';
import type { EventDraft } from '../../../src/model/event';
import { addonDeps, addonStreams, pageDoors, tagDoor } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

const ad: AppNexusAd = {
  targetId: 'top',
  tagId: 13,
  adType: 'banner',
  source: 'rtb',
  creativeId: 5,
  auctionId: '77',
  buyerMemberId: 9,
  brandCategoryId: 2,
  mediaTypeId: 1,
  mediaSubtypeId: 1,
  banner: { width: 970, height: 90 },
};
const properties = {
  slot: { target_id: 'top', tag_id: 13, height: 90, width: 970, targeting: { section: ['markets'] } },
  ad: {
    type: 'banner',
    source: 'rtb',
    creative_id: 5,
    auction_id: '77',
    buyer_member_id: 9,
    brand_category_id: 2,
    media_type_id: 1,
    media_sub_type_id: 1,
  },
};
const impression = { name: 'AppNexusAdImpression', properties };
const click = { name: 'AppNexusAdClick', properties };

/** The seller tag with two tags, whose events a test plays. */
const apntag = (seen: ApntagOnPage['seen'] = []) => {
  const heard: [string, (ad: AppNexusAd) => void][] = [];
  const tags: Record<string, { keywords: unknown }> = {
    top: { keywords: { section: ['markets'] } },
    side: { keywords: {} },
  };
  const setKeywords = jest.fn();
  return {
    found: {
      tag: {
        onEvent: (type: string, listener: (ad: AppNexusAd) => void) => heard.push([type, listener]),
        defineTag: ({ targetId }: { readonly targetId: string }) => (tags[targetId] = { keywords: {} }),
        getTag: () => tags,
        setKeywords,
      } as Apntag & { defineTag: (params: object) => unknown },
      seen,
    },
    say: (type: string, arg: AppNexusAd) =>
      heard.forEach(([wanted, listener]) => {
        if (wanted === type) listener(arg);
      }),
    listeners: () => heard.map(([type]) => type),
    tags,
    setKeywords,
  };
};
const playing = (
  page: ReturnType<typeof apntag>,
  streams: Partial<AddonStreams> = {},
  deps: AddonDeps = addonDeps({ adIn: focus('') }),
  auto_init = true,
): Observable<EventDraft> =>
  appnexusAdserver.run(
    addonStreams({ view$: new BehaviorSubject('view'), ...tagDoor(new BehaviorSubject(page.found.tag)), ...streams }),
    new BehaviorSubject({ auto_init }),
    { ...deps, global: (name) => (name === '__permutive' ? { appnexusEvents: page.found.seen } : undefined) },
  );
const focus =
  (id: string, holds = false) =>
  (asked: string) => ({ windows: [], hasFocus: asked === id, holds: () => holds && asked === 'top' });
const own = (...members: string[]) => ({ members, activations: {}, isRealtime: true });
const codesFor = (platform: string, { members }: { readonly members: readonly string[] }) =>
  members.map((id) => `${platform === 'appnexus_adserver' ? 'c' : '?'}${id}`);

/** What a tag is told of the visitor, with these cohorts, and since when. */
const set = (id: string, permutive: readonly string[], msLater = 0) => [
  id,
  { permutive, puid: ['visitor'], ptime: [String(1_767_268_800_000 + msLater)], prmtvsdk: ['web'] },
  { overrideKeyValue: true },
];

describe('appnexus_adserver', () => {
  marble(
    'sets the keywords of every tag, with each change and with what was defined since, and stores the codes',
    ({ cold, expectObservable, flush }) => {
      const page = apntag();
      let now = 1_767_268_800_000;
      const deps = addonDeps({ codesFor, readKey: () => ['c9'], adIn: focus(''), now: () => now });
      cold('-t').subscribe(() => (now += 1));
      const cohorts$ = cold('l-o', { l: { ...own(), isRealtime: false }, o: own('1') });
      cold('----r').subscribe(() => {
        page.tags['late'] = { keywords: {} };
        page.say('adRequested', {});
      });
      expectObservable(playing(page, { cohorts$ }, deps)).toBe('-');
      flush();
      const [stored, fresh] = [['c9'], ['c1', 'rts']];
      expect(page.setKeywords.mock.calls).toEqual([
        set('top', stored),
        set('side', stored),
        set('top', fresh, 1),
        set('side', fresh, 1),
        set('top', fresh, 1),
        set('side', fresh, 1),
        set('late', fresh, 1),
      ]);
      expect(deps.writeKey.mock.calls).toEqual([['_papns', ['c1']]]);
      expect(deps.writeCookie.mock.calls).toEqual([['_papns', ['c1']]]);
    },
  );

  marble(
    'sets the keywords of a tag that the page defines later, before anything can ask for its ad',
    ({ cold, expectObservable, flush }) => {
      const page = apntag();
      const { tag } = page.found;
      let answer: unknown;
      const known = (): readonly unknown[] => {
        page.setKeywords.mockClear();
        answer = tag.defineTag({ targetId: 'late' });
        return page.setKeywords.mock.calls.slice();
      };
      const seen: (readonly unknown[])[] = [];
      cold('---r-----r').subscribe(() => seen.push(known()));
      const cohorts$ = cold('o', { o: own('1') });
      expectObservable(playing(page, { cohorts$ }, addonDeps({ codesFor })), '^-----!').toBe('-');
      flush();
      // Nothing more is told once the addon has stopped.
      expect(seen).toEqual([['top', 'side', 'late'].map((id) => set(id, ['c1', 'rts'])), []]);
      expect(answer).toBe(page.tags['late']);
    },
  );

  marble('goes on where the tag cannot be changed', ({ cold, expectObservable, flush }) => {
    const page = apntag();
    const deps = addonDeps({ codesFor });
    Object.freeze(page.found.tag);
    cold('--r').subscribe(() => page.say('adRequested', {}));
    expectObservable(playing(page, { cohorts$: cold('o', { o: own('1') }) }, deps)).toBe('-');
    flush();
    expect(deps.report.mock.calls).toEqual([['AppNexus failed to set data', expect.any(TypeError)]]);
    expect(page.setKeywords).toHaveBeenCalledTimes(4);
  });

  marble(
    'tracks ads as they load, and those that the page’s snippet has seen, once',
    ({ cold, expectObservable, flush }) => {
      const seen = [
        { eventType: 'adRequested' },
        { eventType: 'adLoaded', arg: ad },
        { eventType: 'adLoaded' },
        { eventType: 'adNoBid', arg: ad },
      ];
      const page = apntag(seen);
      cold('--a').subscribe(() => {
        // The snippet goes on collecting.
        seen.push({ eventType: 'adLoaded', arg: ad });
        page.say('adLoaded', ad);
        page.say('adLoaded', {});
      });
      expectObservable(playing(page)).toBe('i-i', { i: impression });
      flush();
      expect(seen).toEqual([]);
    },
  );

  marble(
    'takes focus in an ad’s frame, or a click on an ad without one, for a click; once in 1000 ms',
    ({ hot, expectObservable }) => {
      const inFrame$ = playing(
        apntag([{ eventType: 'adLoaded', arg: ad }]),
        { focusLoss$: hot('--b-b 995ms b') },
        addonDeps({ adIn: focus('top') }),
      );
      expectObservable(inFrame$).toBe('i-c', { i: impression, c: click });
      const onAd$ = playing(
        apntag([{ eventType: 'adLoaded', arg: ad }]),
        { activity$: hot('--m-k', { m: { type: 'mousemove' }, k: { type: 'click' } }) },
        addonDeps({ adIn: focus('', true) }),
      );
      expectObservable(onAd$).toBe('i---c', { i: impression, c: click });
    },
  );

  marble(
    'stops listening for clicks when one comes from a tag that is not registered',
    ({ hot, expectObservable, flush }) => {
      const page = apntag([{ eventType: 'adLoaded', arg: ad }]);
      const focusLoss$ = hot('--b---b', {});
      focusLoss$.subscribe(() => delete page.tags['top']);
      expectObservable(playing(page, { focusLoss$ }, addonDeps({ adIn: focus('top') }))).toBe('i', { i: impression });
      flush();
    },
  );

  marble('says in which group of an experiment the visitor is', ({ cold, expectObservable, flush }) => {
    const page = apntag();
    const cohorts$ = cold('o', { o: { ...own(), group: 'control' as const } });
    expectObservable(playing(page, { cohorts$ }, addonDeps({ codesFor }))).toBe('-');
    flush();
    expect(page.setKeywords.mock.calls[0]).toMatchObject(['top', { permutive: ['rts'], prmtvexp: ['control'] }, {}]);
  });

  marble('takes the visitor out of the keywords when it is stopped', ({ cold, expectObservable, flush }) => {
    const page = apntag();
    expectObservable(playing(page, { cohorts$: cold('o', { o: own('1') }) }, addonDeps({ codesFor })), '^-!').toBe('-');
    flush();
    expect(page.setKeywords.mock.calls.slice(-2)).toEqual(
      ['top', 'side'].map((id) => [
        id,
        { permutive: [], puid: [], ptime: [], prmtvsdk: [], prmtvexp: [] },
        { overrideKeyValue: true },
      ]),
    );
  });

  marble('warns of an ad whose element is missing', ({ expectObservable, flush }) => {
    const deps = addonDeps();
    expectObservable(playing(apntag([{ eventType: 'adLoaded', arg: ad }]), {}, deps)).toBe('i', { i: impression });
    flush();
    expect(deps.report.mock.calls).toEqual([['Missing element for a click listener', new Error('#top')]]);
  });

  marble('starts over with another view where the page starts it', ({ cold, expectObservable, flush }) => {
    const deps = addonDeps({ codesFor });
    expectObservable(
      playing(apntag(), { view$: cold('v--w'), cohorts$: cold('o', { o: own('1') }) }, deps, false),
    ).toBe('-');
    flush();
    expect(deps.forget.mock.calls).toEqual([['_papns']]);
    expect(deps.writeKey).toHaveBeenCalledTimes(2);
  });

  marble('listens to the tag once, however often it starts', ({ cold, expectObservable, flush }) => {
    const page = apntag();
    expectObservable(cold('a--b--c--').pipe(switchMap(() => playing(page)))).toBe('-');
    flush();
    expect(page.listeners().sort()).toEqual(['adLoaded', 'adRequested']);
  });

  marble('says after 200 × 10 ms that there is no tag, and goes on storing', ({ cold, expectObservable, flush }) => {
    const deps = addonDeps({ codesFor });
    const cohorts$ = cold('o 2999ms p', { o: own('1'), p: own('2') });
    expectObservable(playing(apntag(), { cohorts$, ...pageDoors(() => undefined) }, deps)).toBe('-');
    flush();
    expect(deps.report.mock.calls).toEqual([
      ['Unable to find appnexus tag script', new Error('Nothing within 2000 ms')],
    ]);
    expect(deps.writeKey).toHaveBeenCalledTimes(2);
  });
});

describe('appnexus_adserver_contextual', () => {
  marble('sets what the page is about', ({ cold, expectObservable, flush }) => {
    const page = apntag();
    const contextual$ = cold('-a', {
      a: { appnexus_adserver_contextual: ['bfin-c', 'bfin'], dfp_contextual: ['other'] },
    });
    expectObservable(
      appnexusContextual.run(
        addonStreams({ contextual$, ...tagDoor(new BehaviorSubject(page.found.tag)) }),
        new BehaviorSubject({}),
        addonDeps(),
      ),
    ).toBe('-');
    flush();
    expect(page.setKeywords.mock.calls[0]).toEqual(['top', { prmtvctx: ['bfin', 'rts'] }, { overrideKeyValue: true }]);
  });

  marble('says nothing of a page for which there is no answer yet', ({ cold, expectObservable, flush }) => {
    const page = apntag();
    const contextual$ = cold('-a-u-n', { a: { appnexus_adserver_contextual: ['bfin'] }, u: undefined, n: {} });
    const streams = addonStreams({ contextual$, ...tagDoor(new BehaviorSubject(page.found.tag)) });
    expectObservable(appnexusContextual.run(streams, new BehaviorSubject({}), addonDeps())).toBe('-');
    flush();
    expect(
      page.setKeywords.mock.calls.filter(([id]) => id === 'top').map(([, keywords]) => keywords as unknown),
    ).toEqual([{ prmtvctx: ['bfin', 'rts'] }, { prmtvctx: [] }, { prmtvctx: ['rts'] }]);
  });
});
