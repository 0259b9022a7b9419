/** @jest-environment jsdom */
import { visitorId } from './support/events';

jest.mock(
  '@project/settings',
  () => ({
    windowKey: 'permutive',
    workspaceId: 'workspace',
    cookieName: 'permutive-id',
    consentRequired: false,
    respectGpc: true,
  }),
  { virtual: true },
);

import { installApntag } from '../demo/page/standIns/apntag/install';
import { installGoogletag } from '../demo/page/standIns/googletag/install';
import type { TellTag } from '../src/companion/companion';

const other = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
const prebidKeys = ['_psegs', '_papns', '_ppam', '_pssps', 'permutive-prebid-rtd', 'permutive-prebid-id'];
const stored = {
  'permutive-id': visitorId,
  _pdfps: '[7,"8"]',
  ...Object.fromEntries(prebidKeys.map((key) => [key, '[9]'])),
};

interface Given {
  readonly stored?: Readonly<Record<string, string>>;
  readonly cookie?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  /** What the page has answered about consent before the companion. */
  readonly answers?: readonly unknown[];
  readonly isObjecting?: boolean;
  /** Whether Google's tag lacks `setTargeting`. */
  readonly isNewer?: boolean;
}

/** The stand-in for the seller tag, as far as this test uses it. */
interface SellerTag {
  readonly setPageOpts: (options: object) => void;
  readonly defineTag: (params: object) => unknown;
  readonly getTag: (id: string) => { readonly keywords: unknown };
  readonly loadTags: () => void;
  readonly showTag: (id: string) => void;
}

interface Tag {
  readonly consent: (answer?: unknown) => void;
}

/** Runs the companion as a page does: anew, for both ad tags. */
const runCompanion = (): void => {
  jest.isolateModules(() => {
    const { companion } = jest.requireActual<{ companion: (tags: readonly TellTag[]) => void }>(
      '../src/companion/companion',
    );
    const { google } = jest.requireActual<{ google: TellTag }>('../src/companion/google');
    const { appnexus } = jest.requireActual<{ appnexus: TellTag }>('../src/companion/appnexus');
    companion([google, appnexus]);
  });
};

/** A page with the tag and the companion, whose ad tags have loaded already. */
const pageWith = ({ config = {}, answers = [], isNewer = false, ...given }: Given) => {
  const { cookie = '', isObjecting } = given;
  for (const [key, text] of Object.entries(given.stored ?? stored)) localStorage.setItem(key, text);
  for (const one of cookie.split('; ').filter(Boolean)) document.cookie = one;
  const q: unknown[] = answers.map((answer) => ({ functionName: 'consent', arguments: [answer] }));
  const permutive: Tag = { consent: (...args) => void q.push({ functionName: 'consent', arguments: args }) };
  Object.assign(window, {
    permutive: Object.assign(permutive, { q, config }),
    googletag: undefined,
    apntag: undefined,
  });
  installGoogletag(!isNewer);
  installApntag();
  const { apntag } = window as unknown as { apntag: SellerTag };
  apntag.setPageOpts({ member: 958 });
  Object.defineProperty(navigator, 'globalPrivacyControl', { value: isObjecting, configurable: true });
  runCompanion();
  const answer = apntag.defineTag({ targetId: 'place', tagId: 7, sizes: [300, 250] });
  return {
    targeting: () => googletag.getConfig('targeting').targeting ?? {},
    keywords: () => apntag.getTag('place').keywords,
    permutive,
    answer,
    apntag,
  };
};

afterEach(() => {
  localStorage.clear();
  for (const name of ['permutive-id', 'permutive-consent', 'a', 'mine'])
    document.cookie = `${name}=; expires=Thu, 01 Jan 1970 00:00:00 GMT`;
  jest.restoreAllMocks();
});

describe('The companion', () => {
  const listed = { prmtvwid: ['workspace'], ptime: [expect.any(String) as unknown] };
  const told = { ...listed, permutive: ['7', '8'], puid: [visitorId] };

  it.each<readonly [string, Given]>([
    ['where nobody has answered about consent', {}],
    ['of the same user as the cookie', { cookie: `a=b; permutive-id=${visitorId}` }],
    ['where the cookie is no id', { cookie: 'permutive-id=nobody' }],
    ['where the cookie has another name', { cookie: `mine=${visitorId}`, config: { cookieName: 'mine' } }],
    ['with consent', { stored: { ...stored, 'permutive-consent': '{"opt_in":true,"token":"t"}' } }],
    ['with consent that is needed', { answers: [{ opt_in: true }], config: { consentRequired: true } }],
    ['where the page has changed its answer', { answers: [{ opt_in: false }, { opt_in: true, token: 't' }] }],
    ['to a tag without setTargeting', { isNewer: true }],
  ])('tells the stored codes: %s', (_, given) => {
    const { targeting, keywords, answer, apntag } = pageWith(given);
    expect(targeting()).toMatchObject(told);
    expect(keywords()).toEqual({ permutive: ['9'] });
    expect(answer).toBe(apntag.getTag('place'));
    expect(localStorage.getItem('_psegs')).toBe('[9]');
  });

  it.each<readonly [string, Given, string | undefined]>([
    ['of another user than the cookie', { cookie: `permutive-id=${other}` }, other],
    ['where no id says whose they are', { stored: { _pdfps: '[7]', _psegs: '[9]' } }, undefined],
    ['of a visitor who has refused', { stored: { ...stored, 'permutive-consent': '{"opt_in":false}' } }, undefined],
    [
      'where the stored answer has no token',
      { stored: { ...stored, 'permutive-consent': '{"opt_in":true,"token":""}' } },
      undefined,
    ],
    ['of a visitor who has refused on another host', { cookie: 'permutive-consent=x' }, undefined],
    ['of a visitor who has refused on this page', { answers: [{ opt_in: false }] }, undefined],
    ['where the page has answered with nothing', { answers: [undefined] }, undefined],
  ])('tells no codes, and leaves none to Prebid: %s', (_, given, puid) => {
    const { targeting, keywords } = pageWith(given);
    expect(targeting()).toEqual(puid === other ? { ...listed, puid: [puid] } : {});
    expect(keywords()).toEqual({ permutive: [] });
    for (const key of prebidKeys) expect(localStorage.getItem(key)).toBeNull();
  });

  it('tells nothing of a visitor whose consent is needed and missing, and removes nothing', () => {
    const { targeting } = pageWith({ config: { consentRequired: true } });
    expect(targeting()).toEqual({});
    expect(localStorage.getItem('_psegs')).toBe('[9]');
  });

  it('leaves nothing to Prebid where the browser objects to sharing, and tells the publisher’s own ad server', () => {
    const { targeting } = pageWith({ isObjecting: true });
    expect(targeting()).toMatchObject(told);
    for (const key of prebidKeys) expect(localStorage.getItem(key)).toBeNull();
    expect(localStorage.getItem('_pdfps')).toBe('[7,"8"]');
  });

  it('heeds respectGpc of the page', () => {
    pageWith({ isObjecting: true, config: { respectGpc: false } });
    expect(localStorage.getItem('_psegs')).toBe('[9]');
  });

  it('takes back what it has told when the visitor refuses before the SDK has come', () => {
    const { targeting, permutive } = pageWith({});
    permutive.consent({ opt_in: false });
    expect(targeting()).toEqual({});
    expect(localStorage.getItem('_psegs')).toBeNull();
  });

  it('tells the codes once consent comes before the SDK', () => {
    const { targeting, permutive } = pageWith({ config: { consentRequired: true } });
    permutive.consent({ opt_in: true, token: 't' });
    expect(targeting()).toMatchObject(told);
  });

  it('keeps the ads that AppNexus loads before the SDK', () => {
    jest.useFakeTimers();
    document.body.innerHTML = '<div id="place"></div>';
    const { apntag } = pageWith({});
    apntag.loadTags();
    apntag.showTag('place');
    jest.runAllTimers();
    jest.useRealTimers();
    expect(window).toMatchObject({
      __permutive: { appnexusEvents: [{ eventType: 'adLoaded', arg: { targetId: 'place', tagId: 7 } }] },
    });
  });

  it('waits for tags that come later, and sets no timer', () => {
    const timer = jest.spyOn(window, 'setTimeout');
    Object.assign(window, { permutive: { q: [], config: {}, consent: () => undefined } });
    Object.assign(window, { googletag: undefined, apntag: undefined });
    runCompanion();
    expect(window).toMatchObject({
      googletag: { cmd: [expect.any(Function)] },
      apntag: { anq: [expect.any(Function)] },
    });
    expect(timer).not.toHaveBeenCalled();
  });

  it('tells nothing where storage is blocked or broken', () => {
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new Error('blocked');
    });
    expect(pageWith({}).targeting()).toEqual({});
    jest.restoreAllMocks();
    expect(pageWith({ stored: { ...stored, 'permutive-consent': '{' } }).targeting()).toEqual({});
  });
});
