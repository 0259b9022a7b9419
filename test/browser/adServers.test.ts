import type { Frame, Page } from 'playwright-core';

import { trackLast, untilNothingToSend } from './support/entered';
import { needs } from './support/needs';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { scriptFile, type Visitor } from './support/visitor';

const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';
const click = {
  type: 'google_ad_click',
  ad_unit_path: '/x',
  creative_id: 1,
  advertiser_id: 2,
  order_id: 3,
  line_item_id: 4,
};

describe('Google Ad Manager', () => {
  const stage = stageForTests();

  /**
   * Their pages have no ads until a test shows them. A page asks for its ads after a second, and on a slow machine they
   * would be viewable before the test asks for its own.
   */
  const newReader = async (): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      const page = window as unknown as { googletag?: { readonly cmd: (() => void)[] } };
      // A frame of an ad runs this too, and it has no use for it.
      page.googletag ??= { cmd: [] };
      page.googletag.cmd.push(() => {
        const pubads = googletag.pubads();
        const refresh = pubads.refresh.bind(pubads);
        pubads.refresh = () => undefined;
        Object.assign(window, { askForAds: refresh });
      });
    });
    return visitor;
  };
  /** Shows the ads once the SDK listens, because it does not tell of ads that were there before it. */
  const showAds = async ({ page, targeting }: Visitor): Promise<void> => {
    await until(async () => (await targeting())['prmtvsdk'], 'the SDK in the targeting');
    await page.evaluate(() => (window as unknown as { askForAds: () => void }).askForAds());
    await stage.untilArrived('SlotRendered', 2);
  };
  const reader = async (path = article): Promise<Visitor> => {
    const visitor = await newReader();
    await visitor.page.addInitScript(() => {
      const posted: unknown[] = [];
      const said: unknown[] = [];
      Object.assign(window, { posted, said });
      window.addEventListener('message', ({ data }) => said.push(data as unknown));
      // Messages of this window to itself, before anybody else may have a say.
      window.addEventListener(
        'message',
        ({ data, origin, source }) => source === window && posted.push({ data: data as unknown, origin }),
      );
    });
    await visitor.open(path);
    await visitor.ready();
    return visitor;
  };
  /** Their cohorts are stored before this visit, however slow the machine is. */
  const returningReader = async (): Promise<Visitor> => {
    const visitor = await reader();
    await stage.untilEntered(20111);
    await untilNothingToSend(stage, visitor);
    await visitor.open('/empty');
    await stage.untilArrived('PageviewComplete');
    await stage.untilIdle();
    await stage.resetApi();
    await visitor.open(article);
    await visitor.ready();
    return visitor;
  };
  const frameOf = (page: Page, slot: string): Promise<Frame> =>
    until(async () => (await (await page.$(`#${slot} iframe`))?.contentFrame()) ?? undefined, `the frame of ${slot}`);
  const clicks = async (): Promise<number> => (await stage.arrived('SlotClicked')).length;

  test('is told of the visitor and of the page, and tells what its slots show', async () => {
    const visitor = await returningReader();
    await showAds(visitor);
    const targeting = await until(async () => {
      const now = await visitor.targeting();
      return now['prmtvctx'] && now['permutive']?.includes('rts') ? now : undefined;
    }, 'both kinds of cohorts');
    expect(targeting['permutive']).toContain('20111');
    expect(targeting['prmtvctx']).toEqual(expect.arrayContaining(['psav', 'rts']));
    expect(targeting).toMatchObject({ prmtvsdk: ['web'], puid: [await visitor.ask((permutive) => permutive.user())] });
    // Cohorts that advertisers have bought go to the ad server too, once their service has answered. They are stored
    // under keys of their own.
    const own = await until(async () => {
      const [stored, { permutive: codes = [] }, { _pdfps: cookie = '[]' }] = [
        await visitor.storage(),
        await visitor.targeting(),
        await visitor.cookies(),
      ];
      const [ofPlatform = [], ...bought] = ['_pdfps', '_ppam', '_pcrprs'].map(
        (key) => JSON.parse(stored[key] ?? '[]') as string[],
      );
      const all = new Set([...ofPlatform, ...bought.flat(), 'rts']);
      const isSame = [...all].join() === codes.join() && (JSON.parse(cookie) as string[]).join() === ofPlatform.join();
      return isSame ? ofPlatform : undefined;
    }, 'targeting and cookie with what is stored');
    expect(own).toContain('20111');

    const [request] = await stage.untilArrived('AdRequest', 2);
    expect(request?.properties).toMatchObject({
      ad_server_id: 'dfp',
      cohorts: expect.arrayContaining(['20111']) as unknown,
    });
    const rendered = await stage.untilArrived('SlotRendered', 2);
    const top = rendered.find(
      ({ properties }) => (properties['slot'] as { slot_element_id: string }).slot_element_id === 'ad-leaderboard',
    )?.properties;
    expect(top).toMatchObject({
      advertiser_id: 4400112202,
      campaign_id: 2801,
      line_item_id: 5123456701,
      creative_id: 138401,
      is_empty: false,
      service_name: 'publisher_ads',
      width: 970,
      height: 90,
      slot: {
        ad_unit_path: '/21809957681/ledgerpost/personal-finance/leaderboard',
        slot_element_id: 'ad-leaderboard',
        targeting_keys: [],
      },
    });
    expect(Math.abs(Date.now() - Number(top?.['rendered_timestamp']))).toBeLessThan(20_000);
    const [viewable] = await stage.untilArrived('SlotViewable');
    expect(viewable?.properties).toMatchObject({
      line_item_id: 5123456701,
      slot: { slot_element_id: 'ad-leaderboard' },
    });
    expect(await visitor.page.evaluate(() => (window as unknown as { posted: unknown[] }).posted)).toEqual([
      { data: { type: 'sdk-init' }, origin: stage.demo.site },
    ]);
  });

  test('counts a click on an ad once, though focus and message both tell of it', async () => {
    const visitor = await returningReader();
    await showAds(visitor);
    // The second page of its section opens an overlay, which would take a click at the moment when it opens.
    const overlay = visitor.page.getByRole('dialog');
    await overlay.waitFor();
    await visitor.page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });
    await visitor.page.frameLocator('#ad-leaderboard iframe').locator('a.creative').click();
    const [clicked] = await stage.untilArrived('SlotClicked');
    expect(clicked?.properties).toMatchObject({
      line_item_id: 5123456701,
      campaign_id: 2801,
      slot: { slot_element_id: 'ad-leaderboard' },
      width: 970,
    });
    await trackLast(stage, visitor);
    expect(await clicks()).toBe(1);
    expect(await stage.rejected()).toEqual([]);
  });

  test('counts a click on an ad in a SafeFrame, which has an origin of its own', async () => {
    const visitor = await newReader();
    await visitor.page.addInitScript(() => {
      googletag.cmd.push(() => googletag.setConfig({ safeFrame: { forceSafeFrame: true, sandbox: true } }));
    });
    await visitor.open(article);
    await showAds(visitor);
    const frame = await frameOf(visitor.page, 'ad-mpu');
    await frame.waitForLoadState();
    const [origin, top] = await Promise.all([
      frame.evaluate(() => location.origin),
      visitor.page.evaluate(() => location.origin),
    ]);
    expect(origin).toMatch(/^http:\/\/ad[\w-]+\.safeframe\.localhost:\d+$/);
    expect(origin).not.toBe(top);
    await visitor.page.frameLocator('#ad-mpu iframe').locator('a.creative').click();
    const [clicked] = await stage.untilArrived('SlotClicked');
    expect(clicked?.properties).toMatchObject({ slot: { slot_element_id: 'ad-mpu' }, width: 300, height: 250 });
    await trackLast(stage, visitor);
    expect(await clicks()).toBe(1);
    expect(visitor.errors).toEqual([]);
  });

  needs('quietFrames')('believes no message but those of the frames of its slots', async () => {
    const visitor = await reader();
    const { page } = visitor;
    await showAds(visitor);
    const frame = await frameOf(page, 'ad-leaderboard');

    // The page itself, frames elsewhere on it, sandboxed ones, one that plays a slot, and one inside a slot's frame.
    await page.evaluate(async (message) => {
      const addFrame = (parent: ParentNode, sandbox?: string): Promise<HTMLIFrameElement> =>
        new Promise((resolve) => {
          const added = document.createElement('iframe');
          if (sandbox !== undefined) added.setAttribute('sandbox', sandbox);
          added.srcdoc = `<script>addEventListener('message', ({ data }) => { for (let i = 0; i < 5; i++) parent.postMessage(data, '*'); })</script>`;
          added.addEventListener('load', () => resolve(added), { once: true });
          parent.append(added);
        });
      const fake = document.createElement('div');
      fake.id = 'google_ads_iframe_fake__container__';
      document.body.append(fake);
      const strangers = [
        await addFrame(document.body),
        await addFrame(document.body, 'allow-scripts'),
        await addFrame(fake),
        await addFrame(fake, 'allow-scripts'),
      ];
      for (const { contentWindow } of strangers) contentWindow?.postMessage(message, '*');
      for (const data of [message, { ...message, source: 'slot' }, JSON.stringify(message)])
        window.postMessage(data, '*');
    }, click);
    await frame.evaluate(async (message) => {
      const nested = document.createElement('iframe');
      nested.srcdoc = `<script>for (let i = 0; i < 5; i++) top.postMessage(${JSON.stringify(message)}, '*')</script>`;
      const loaded = new Promise((resolve) => nested.addEventListener('load', resolve, { once: true }));
      document.body.append(nested);
      await loaded;
      // The right frame, with the wrong words.
      for (const wrong of [
        { type: 'google_ad_clicks' },
        { creative_id: {} },
        { line_item_id: -1 },
        { order_id: '1 or 1' },
        { ad_unit_path: 'x'.repeat(501) },
        { ad_unit_path: null },
      ]) {
        parent.postMessage({ ...message, ...wrong }, '*');
      }
      parent.postMessage([message], '*');
      parent.postMessage(null, '*');
    }, click);
    // 4 strangers and a nested frame five times each, the page 3 times and once for itself, and 8 wrong words. Frames
    // in processes of their own keep no order with the page.
    const all = 4 * 5 + 5 + 3 + 1 + 8;
    const heard = (): Promise<number> => page.evaluate(() => (window as unknown as { said: unknown[] }).said.length);
    await until(async () => (await heard()) >= all || undefined, 'all messages');
    await visitor.track('Afterwards');
    await stage.untilArrived('Afterwards');
    expect(await clicks()).toBe(0);
    expect(await heard()).toBe(all);

    // And both of those, a slot each: a frame of the site, and one that is sandboxed, as SafeFrames are, and so has no
    // origin to name.
    await (await frameOf(page, 'ad-leaderboard')).evaluate((message) => parent.postMessage(message, '*'), click);
    await page.evaluate(async (message) => {
      const slot = document.querySelector('#ad-mpu > div');
      const sandboxed = document.createElement('iframe');
      sandboxed.setAttribute('sandbox', 'allow-scripts');
      sandboxed.srcdoc = `<script>parent.postMessage(${JSON.stringify(message)}, '*')</script>`;
      const loaded = new Promise((resolve) => sandboxed.addEventListener('load', resolve, { once: true }));
      slot?.append(sandboxed);
      await loaded;
    }, click);
    const genuine = await stage.untilArrived('SlotClicked', 2);
    expect(genuine.map(({ properties }) => properties)).toMatchObject([
      {
        line_item_id: 4,
        campaign_id: 3,
        advertiser_id: 2,
        creative_id: 1,
        slot: { slot_element_id: 'ad-leaderboard' },
      },
      { slot: { slot_element_id: 'ad-mpu' } },
    ]);
  });

  type Requested = { readonly slots: readonly string[]; readonly keys: Readonly<Record<string, string>> };
  /** Records the slots and the page's key values of all ad requests. */
  const recordRequests = ({ page }: Visitor): Promise<unknown> =>
    page.addInitScript(() => {
      const requests: unknown[] = [];
      Object.assign(window, { requests });
      window.addEventListener('googletag stand-in: ad request', (event) => {
        const { address, slots } = (event as CustomEvent<{ address: string; slots: string[] }>).detail;
        const values = new URLSearchParams(new URL(address).searchParams.get('cust_params') ?? '');
        requests.push({ slots, keys: Object.fromEntries(values) });
      });
    });
  const requestsOf = ({ page }: Visitor): Promise<readonly Requested[]> =>
    page.evaluate(() => (window as unknown as { requests: readonly Requested[] }).requests);

  test('is told of the present cohorts where a slot is refreshed, and of the present view where a site goes on', async () => {
    const visitor = await stage.visitor();
    await recordRequests(visitor);
    // A newcomer has no cohorts in the first request, which comes before the script.
    const release = await visitor.hold(scriptFile);
    await visitor.open(article, 'domcontentloaded');
    const requests = (): Promise<readonly Requested[]> => requestsOf(visitor);
    const codesIn = ({ keys }: Requested): readonly string[] => keys['permutive']?.split(',') ?? [];
    /** Refreshes one slot. Its request. */
    const refreshed = async () => {
      const before = (await requests()).length;
      await visitor.page.evaluate(() => {
        const { googletag } = window as unknown as {
          googletag: { pubads: () => { getSlots: () => object[]; refresh: (slots: object[]) => void } };
        };
        googletag.pubads().refresh(googletag.pubads().getSlots().slice(0, 1));
      });
      return until(async () => (await requests())[before], 'the request of the refreshed slot');
    };
    const atFirst = await until(async () => (await requests())[0], 'the first ad request');
    release();
    const [first] = await stage.untilArrived('Pageview');
    await until(
      async () => ((await visitor.targeting())['permutive']?.includes('20111') ? true : undefined),
      'the cohort',
    );
    expect(atFirst.slots.length).toBeGreaterThan(1);
    expect(codesIn(atFirst)).not.toContain('20111');
    const again = await refreshed();
    expect(again.slots).toEqual(atFirst.slots.slice(0, 1));
    expect(codesIn(again)).toEqual(expect.arrayContaining(['20111', 'rts']));
    expect(again.keys['prmtvvid']).toBe(first?.view_id);

    await visitor.page.evaluate(() => history.pushState(null, '', '/markets'));
    await visitor.ask((permutive) => permutive.addon('web', { page: {} }));
    const [, second] = await stage.untilArrived('Pageview', 2);
    expect(second?.view_id).not.toBe(first?.view_id);
    const onSecond = await refreshed();
    expect(onSecond.keys['prmtvvid']).toBe(second?.view_id);
    // All keys of the first view are there. Cohorts of the first view alone are left with it.
    expect(Object.keys(onSecond.keys)).toEqual(expect.arrayContaining(['permutive', 'puid', 'ptime', 'prmtvwid']));
    expect(onSecond.keys['puid']).toBe(again.keys['puid']);
    expect(onSecond.keys['prmtvwid']).toBe(again.keys['prmtvwid']);
    expect(codesIn(onSecond)).toEqual(expect.arrayContaining(['20111', 'rts']));
    await visitor.page.evaluate(() => history.pushState(null, '', '/personal-finance/savings'));
    await visitor.ask((permutive) =>
      permutive.addon('web', {
        page: {
          article: { section: 'personal-finance', keywords: ['savings', 'isa'], title: 'Where to keep savings' },
        },
      }),
    );
    const [, , third] = await stage.untilArrived('Pageview', 3);
    // A view of another address begins without.
    const context = await until(async () => {
      const codes = (await visitor.targeting())['prmtvctx'];
      return codes?.includes('psav') === true ? codes.join() : undefined;
    }, 'codes of the page');
    const onThird = await refreshed();
    expect(onThird.keys).toMatchObject({ prmtvvid: third?.view_id, prmtvctx: context });
    expect(codesIn(onThird)).toEqual(expect.arrayContaining(['20111', 'rts']));
  });

  test.each(['', '?gpt=setConfig'])(
    'is told of the visitor by each request of a site that clears its targeting at each route: %s',
    async (query) => {
      const visitor = await stage.visitor();
      await recordRequests(visitor);
      await visitor.open(`${article}${query}`);
      await until(async () => {
        const { permutive, prmtvctx } = await visitor.targeting();
        return (permutive?.includes('rts') === true && prmtvctx !== undefined) || undefined;
      }, 'targeting by the visitor and by the page');
      await until(async () => (await requestsOf(visitor))[0], 'the first ad request');
      const before = (await requestsOf(visitor)).length;
      /** A route of the site, all of it in one task, in the ways that the tag has. */
      const goOn = (): Promise<void> =>
        visitor.page.evaluate(() => {
          const pubads = googletag.pubads() as unknown as Record<'clearTargeting', (() => void) | undefined>;
          googletag.cmd.push(() => {
            history.pushState(null, '', '/markets');
            pubads.clearTargeting?.();
            googletag.setConfig({ targeting: { section: 'markets' } });
            googletag.pubads().refresh();
            googletag.setConfig({ targeting: null });
            googletag.pubads().refresh();
          });
        });
      await goOn();
      const sent = (await requestsOf(visitor)).slice(before);
      expect(sent).toHaveLength(2);
      expect(sent.map(({ keys }) => keys['section'])).toEqual(['markets', undefined]);
      for (const { keys } of sent) {
        expect(keys).toMatchObject({ puid: await visitor.ask((permutive) => permutive.user()), prmtvsdk: 'web' });
        expect(keys['permutive']).toContain('rts');
        expect(keys['prmtvctx']).toContain('psav');
      }
      await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
      await goOn();
      const [refused] = (await requestsOf(visitor)).slice(-1);
      expect(refused?.keys).toEqual({});
      expect(visitor.errors).toEqual([]);
    },
  );

  test('is told nothing more of a visitor who takes their consent back', async () => {
    const visitor = await reader();
    await until(async () => {
      const { puid, prmtvctx } = await visitor.targeting();
      return (puid !== undefined && prmtvctx !== undefined) || undefined;
    }, 'targeting by the visitor and by the page');
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    expect(Object.keys(await visitor.targeting()).sort()).toEqual(['page_type', 'prmtvctx', 'section']);
    expect(Object.keys(await visitor.storage()).filter((key) => key.startsWith('_p'))).toEqual([]);
  });

  test('forgets the visitor on reset', async () => {
    const visitor = await reader('/tech');
    await visitor.open(article);
    await visitor.ready();
    const [before] = await until(async () => {
      const [now, { _pdfps: stored = '' }] = [await visitor.targeting(), await visitor.storage()];
      return now['permutive']?.includes('rts') && stored.includes('20116') ? [now] : undefined;
    }, 'codes');
    expect(before['permutive']).toContain('20116');
    await visitor.ask((permutive) => permutive.reset());
    // The page is still being read, by somebody new.
    const after = await until(async () => {
      const now = await visitor.targeting();
      return now['puid'] !== undefined &&
        now['puid'][0] !== before['puid']?.[0] &&
        now['permutive']?.includes('rts') === true
        ? now
        : undefined;
    }, 'another visitor');
    expect(after['permutive']).not.toContain('20116');
    expect((await visitor.storage())['_pdfps']).not.toContain('20116');
    expect((await visitor.cookies())['_pdfps']).not.toContain('20116');
  });
});

/** The stand-in for the seller tag, as far as this test uses it. */
interface SellerTag {
  readonly setPageOpts: (options: object) => void;
  readonly onEvent: (type: string, targetId: string, listener: (ad: { native: { title: string } }) => void) => void;
  readonly defineTag: (params: object) => unknown;
  readonly loadTags: () => void;
  readonly showTag: (targetId: string) => void;
  readonly getTag?: (targetId: string) => { readonly keywords?: Record<string, string[]> };
}

describe('The AppNexus seller tag', () => {
  const stage = stageForTests();

  test('is told of the visitor and of the page, and tells what its tags show', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      const commands: (() => void)[] = [];
      Object.assign(window, {
        apntag: { anq: commands },
        __permutive: {
          appnexusEvents: [{ eventType: 'adLoaded', arg: { targetId: 'apn_top', tagId: 7, auctionId: 'early' } }],
        },
      });
      commands.push(() => {
        const { apntag } = window as unknown as { apntag: SellerTag };
        apntag.setPageOpts({ member: 958 });
        // The page puts native ads together by itself.
        apntag.onEvent('adAvailable', 'apn_top', ({ native }) => {
          const place = document.querySelector('#apn_top');
          if (place) place.textContent = native.title;
        });
        apntag.defineTag({ targetId: 'apn_top', tagId: 7, sizes: [300, 250], allowedFormats: ['native'] });
      });
      document.addEventListener('DOMContentLoaded', () => {
        document.body.prepend(Object.assign(document.createElement('div'), { id: 'apn_top' }));
        document.head.append(Object.assign(document.createElement('script'), { src: '/assets/apntag.js' }));
      });
    });
    await visitor.open(`${article}?gpt=none`);
    await visitor.ready();
    const keywords = await until(async () => {
      const now = await visitor.page.evaluate(
        () => (window as unknown as { apntag: SellerTag }).apntag.getTag?.('apn_top').keywords,
      );
      return now?.['prmtvctx'] && now['permutive']?.includes('rts') ? now : undefined;
    }, 'keywords');
    expect(keywords['permutive']).toContain('20111');
    const userId = (await visitor.storage())['permutive-id'];
    expect(keywords).toMatchObject({ puid: [userId], prmtvsdk: ['web'] });
    expect(Math.abs(Date.now() - Number(keywords['ptime']))).toBeLessThan(60_000);
    expect(keywords['prmtvctx']).toContain('psav');
    expect(JSON.parse((await visitor.storage())['_papns'] ?? '')).toContain('20111');
    expect(JSON.parse((await visitor.cookies())['_papns'] ?? '')).toContain('20111');

    await stage.untilArrived('AppNexusAdImpression');
    await visitor.page.evaluate(() => {
      const { apntag } = window as unknown as { apntag: SellerTag };
      apntag.showTag('apn_top');
      apntag.loadTags();
    });
    const [early, late] = await stage.untilArrived('AppNexusAdImpression', 2);
    expect(early?.properties).toMatchObject({ slot: { target_id: 'apn_top' }, ad: { auction_id: 'early' } });
    expect(late?.properties).toMatchObject({
      slot: { target_id: 'apn_top', tag_id: 7, targeting: { permutive: expect.arrayContaining(['20111']) as unknown } },
      ad: { auction_id: expect.any(String) as unknown, type: 'native', creative_id: 98012, source: 'rtb' },
    });

    // A definition after the last change of cohorts: the tag has its keywords in its first request.
    const first = await visitor.page.evaluate(() => {
      const { apntag } = window as unknown as { apntag: SellerTag };
      document.body.append(Object.assign(document.createElement('div'), { id: 'apn_late' }));
      let asked: unknown = 'no request';
      apntag.onEvent('adRequested', 'apn_late', () => {
        asked = structuredClone(apntag.getTag?.('apn_late').keywords);
      });
      const answer = apntag.defineTag({
        targetId: 'apn_late',
        tagId: 8,
        sizes: [300, 250],
        allowedFormats: ['native'],
      });
      const defined = structuredClone(apntag.getTag?.('apn_late').keywords);
      apntag.loadTags();
      return { defined, asked, isTag: answer === apntag.getTag?.('apn_late') };
    });
    const keywordsOfVisitor = {
      permutive: expect.arrayContaining(['20111', 'rts']) as unknown,
      prmtvctx: expect.arrayContaining(['psav']) as unknown,
      puid: [userId],
      ptime: [expect.stringMatching(/^\d{13}$/) as unknown],
      prmtvsdk: ['web'],
    };
    expect(first).toEqual({ defined: keywordsOfVisitor, asked: keywordsOfVisitor, isTag: true });

    await visitor.page.click('#apn_top');
    const [clicked] = await stage.untilArrived('AppNexusAdClick');
    expect(clicked?.properties).toMatchObject({ ad: { type: 'native' } });
    expect((await visitor.warnings()).filter((text) => text.includes('stand-in'))).toEqual([]);
  });
});
