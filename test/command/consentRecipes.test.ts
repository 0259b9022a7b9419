/** @jest-environment jsdom */
import { consentRecipes } from '../../command/init/consentRecipes';
import { cookiebot } from '../support/consentPlatforms/cookiebot';
import { didomi } from '../support/consentPlatforms/didomi';
import { iab, listedVendor } from '../support/consentPlatforms/iab';
import { oneTrust } from '../support/consentPlatforms/oneTrust';
import type { Choice, Region, StandIn } from '../support/consentPlatforms/standIn';
import { usercentrics } from '../support/consentPlatforms/usercentrics';

const yes = { opt_in: true, token: 'CONSENT_CAPTURED' };
const no = { opt_in: false };
const answers: Readonly<Record<Choice, object>> = { all: yes, some: no, none: no };

/** A recipe as it is pasted, with what its comments let a publisher change. */
const scriptOf = (name: string, change: (script: string) => string = (script) => script): string => {
  const { script } = consentRecipes[name]!;
  const changed = change(script);
  if (changed === script && name.includes(' ')) throw new Error(`${name}: nothing is changed`);
  return changed;
};

/** A recipe on a page. */
interface Page {
  /** Runs the recipe, which is pasted before the platform's script or after it. */
  readonly paste: () => void;
  /** What the SDK is told in the next seconds. Of the same answer, once. */
  readonly told: (seconds?: number) => Promise<readonly object[]>;
}
const pageWith = (script: string): Page => {
  const calls: object[] = [];
  const permutive = { consent: (answer: object) => calls.push(answer) };
  return {
    paste: () => (window.eval(`(function (permutive) {\n${script}\n})`) as (tag: object) => void)(permutive),
    told: async (seconds = 2) => {
      await jest.advanceTimersByTimeAsync(seconds * 1000);
      return [...new Set(calls.splice(0).map((call) => JSON.stringify(call)))].map(
        (text) => JSON.parse(text) as object,
      );
    },
  };
};

/** Where a recipe stands, and how its platform says what. */
const platforms: Readonly<Record<string, readonly [script: string, platform: () => StandIn, hasOptOut?: boolean]>> = {
  'the IAB’s platform': [scriptOf('tcf'), () => iab(true)],
  'the IAB’s platform without its stub': [scriptOf('tcf'), () => iab(false)],
  OneTrust: [scriptOf('onetrust'), oneTrust, true],
  Didomi: [scriptOf('didomi'), didomi, true],
  'Didomi of another day': [scriptOf('didomi'), () => didomi(true)],
  Sourcepoint: [scriptOf('sourcepoint'), () => iab(true)],
  'Sourcepoint with a vendor': [
    scriptOf('sourcepoint', (script) => script.replace("vendor = ''", `vendor = '${listedVendor}'`)),
    () => iab(true),
  ],
  Cookiebot: [scriptOf('cookiebot'), cookiebot, true],
  Usercentrics: [scriptOf('usercentrics'), usercentrics, true],
};
const withOptOut = Object.entries(platforms).filter(([, [, , hasOptOut]]) => hasOptOut === true);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  document.cookie = 'CookieConsent=; path=/; max-age=0';
  document.body.innerHTML = '';
  for (const name of [
    '__tcfapi',
    'OneTrust',
    'OnetrustActiveGroups',
    'Didomi',
    'didomiOnReady',
    'didomiEventListeners',
  ])
    Reflect.deleteProperty(window, name);
  for (const name of ['Cookiebot', '__ucCmp']) Reflect.deleteProperty(window, name);
});

/** A page may have the recipe before the platform, whose script comes 20 s late here, or after it. */
const orders = ['late', 'early'] as const;
type Order = (typeof orders)[number];
const arrives = async (
  [script, make]: (typeof platforms)[string],
  order: Order,
  stored: Choice | null,
  region: Region,
): Promise<Page & { readonly platform: StandIn }> => {
  const page = pageWith(script);
  const platform = make();
  if (order === 'early') platform.come(stored, region);
  page.paste();
  if (order === 'late') {
    expect(await page.told(20)).toEqual([]);
    platform.come(stored, region);
  }
  return { ...page, platform };
};

describe.each(Object.entries(platforms))('%s', (_, given) => {
  it.each(orders)('is %s: an open banner says nothing, an answer and each change are told', async (order) => {
    const { told, platform } = await arrives(given, order, null, 'asked');
    expect(await told(60)).toEqual([]);
    for (const choice of ['all', 'none', 'all', 'some', 'all'] as const) {
      platform.choose(choice);
      expect([choice, await told()]).toEqual([choice, [answers[choice]]]);
    }
  });

  it.each(orders)('is %s: a refusal at once is told', async (order) => {
    const { told, platform } = await arrives(given, order, null, 'asked');
    platform.choose('none');
    expect(await told()).toEqual([no]);
  });

  it.each(orders.flatMap((order) => (['all', 'some', 'none'] as const).map((stored) => [order, stored] as const)))(
    'is %s: the answer «%s» of an earlier page is told, and no banner is shown',
    async (order, stored) => {
      const { told, platform } = await arrives(given, order, stored, 'asked');
      expect(await told()).toEqual([answers[stored]]);
      platform.choose('none');
      expect(await told()).toEqual([no]);
    },
  );

  it.each(orders)('is %s: where no consent is needed, there is consent', async (order) => {
    const { told } = await arrives(given, order, null, 'free');
    expect(await told()).toEqual([yes]);
  });

  it('is blocked: nothing is told, and nothing waits any more', async () => {
    const page = pageWith(given[0]);
    page.paste();
    expect(await page.told(600)).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is told of a visitor who changes the answer of an earlier page at once', async () => {
    const { told, platform } = await arrives(given, 'late', 'all', 'asked');
    await jest.advanceTimersByTimeAsync(1100);
    platform.choose('none');
    expect((await told()).at(-1)).toEqual(no);
  });

  it('has the last word where the visitor answers twice at once', async () => {
    const { told, platform } = await arrives(given, 'early', null, 'asked');
    platform.choose('all');
    platform.choose('none');
    expect((await told()).at(-1)).toEqual(no);
  });
});

describe.each(withOptOut)('%s where everything is allowed until the visitor objects', (_, given) => {
  it.each(orders)('is %s: there is consent while the banner is open, until the visitor objects', async (order) => {
    const { told, platform } = await arrives(given, order, null, 'optOut');
    expect(await told()).toEqual([yes]);
    platform.choose('none');
    expect(await told()).toEqual([no]);
  });
});

describe('Answers that are none', () => {
  it.each([
    [null, false],
    [undefined, true],
    [{ gdprApplies: true, eventStatus: 'tcloaded', purpose: { consents: { 1: true, 3: true, 4: true } } }, false],
    [{ eventStatus: 'cmpuishown', purpose: { consents: { 1: true, 3: true, 4: true } } }, true],
    [{ gdprApplies: true, eventStatus: 'cmpuiclosed', purpose: { consents: { 1: true, 3: true, 4: true } } }, true],
    [{}, true],
  ])('of __tcfapi: %j with success %j', async (data, success) => {
    Object.assign(window, {
      __tcfapi: (_: string, __: number, call: (...of: unknown[]) => void) => call(data, success),
    });
    for (const name of ['tcf', 'sourcepoint']) {
      const page = pageWith(scriptOf(name));
      page.paste();
      expect(await page.told()).toEqual([]);
    }
  });

  it('of __tcfapi without purposes are a refusal, and throw nothing into the platform', async () => {
    const data = { gdprApplies: true, eventStatus: 'useractioncomplete' };
    Object.assign(window, { __tcfapi: (_: string, __: number, call: (...of: unknown[]) => void) => call(data, true) });
    const page = pageWith(scriptOf('tcf'));
    page.paste();
    expect(await page.told()).toEqual([no]);
  });

  it('a category that the platform does not have is a refusal', async () => {
    for (const [name, given, platform] of [
      ['onetrust', "'C0004'", oneTrust],
      ['cookiebot', "'marketing'", cookiebot],
      ['usercentrics', "'marketing'", usercentrics],
      ['didomi', "'cookies'", didomi],
    ] as const) {
      const script = scriptOf(name, (text) => text.replace(given, "'of another name'"));
      const { told } = await arrives([script, platform], 'early', 'all', 'asked');
      expect([name, await told()]).toEqual([name, [no]]);
    }
  });
});

describe('OneTrust', () => {
  it('is found though its object comes before its functions', async () => {
    const page = pageWith(scriptOf('onetrust'));
    Object.assign(window, { OneTrust: { geolocationResponse: { countryCode: 'DE' } } });
    page.paste();
    oneTrust().come('all', 'asked');
    expect(await page.told()).toEqual([yes]);
  });

  it('that asks nobody and does not allow the category either is a refusal', async () => {
    const api = { IsAlertBoxClosed: () => false, GetDomainData: () => ({ ShowAlertNotice: false }) };
    Object.assign(window, { OneTrust: api, OnetrustActiveGroups: ',C0001,' });
    const page = pageWith(scriptOf('onetrust'));
    page.paste();
    expect(await page.told()).toEqual([no]);
  });
});

it('a platform of Usercentrics that fails leaves no error on the page', async () => {
  const unhandled: unknown[] = [];
  const listen = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', listen);
  Object.assign(window, { __ucCmp: { isInitialized: () => Promise.reject(new Error('not now')) } });
  const page = pageWith(scriptOf('usercentrics'));
  page.paste();
  expect(await page.told()).toEqual([]);
  jest.useRealTimers();
  // Node tells of it at the end of the event loop's turn.
  await new Promise((resolve) => setTimeout(resolve));
  process.off('unhandledRejection', listen);
  expect(unhandled).toEqual([]);
});

it('a platform of Cookiebot that fires nothing is read when the page has loaded', async () => {
  const page = pageWith(scriptOf('cookiebot'));
  page.paste();
  Object.assign(window, { Cookiebot: { consent: { marketing: false }, hasResponse: false } });
  document.cookie = 'CookieConsent=-1; path=/';
  window.dispatchEvent(new Event('load'));
  expect(await page.told()).toEqual([yes]);
});

it('is ECMAScript 5, because pages and tag managers take it as it is', () => {
  for (const { script } of Object.values(consentRecipes))
    expect(script).not.toMatch(/=>|`|\b(const|let|class|async)\b|\?\.|\?\?/);
});
