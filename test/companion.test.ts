/** @jest-environment jsdom */
import { visitorId } from './support/events';

const mockSettings = {
  windowKey: 'permutive',
  cookieName: 'permutive-id',
  consentRequired: false,
  respectGpc: true,
  hasExperiment: false,
};
jest.mock('@project/settings', () => mockSettings, { virtual: true });

import { installApntag } from '../demo/page/standIns/apntag/install';
import { installGoogletag } from '../demo/page/standIns/googletag/install';
import { overridesFromQuery } from '../src/streams/visitor/overrides';

const other = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
/** Keys by which bidders and partners get something of the visitor, and all that they read. */
const sharedKeys = [
  '_prubicons',
  '_pnativo',
  '_pfws',
  '_ppam',
  '_pssps',
  'permutive-prebid-rtd',
  'permutive-prebid-id',
];
const prebidKeys = ['_psegs', '_papns', ...sharedKeys];
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
  /** What the queue has besides. */
  readonly queued?: readonly unknown[];
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
    const { companion } = jest.requireActual<{ companion: (tellTags: () => void) => void }>(
      '../src/companion/companion',
    );
    const { google } = jest.requireActual<{ google: () => void }>('../src/companion/google');
    const { appnexus } = jest.requireActual<{ appnexus: () => void }>('../src/companion/appnexus');
    companion(() => {
      google();
      appnexus();
    });
  });
};

/** A page with the tag and the companion, whose ad tags have loaded already. */
const pageWith = ({ config = {}, answers = [], isNewer = false, ...given }: Given) => {
  const { cookie = '', isObjecting, queued = [] } = given;
  for (const [key, text] of Object.entries(given.stored ?? stored)) localStorage.setItem(key, text);
  for (const one of cookie.split('; ').filter(Boolean)) document.cookie = one;
  const q: unknown[] = [...queued, ...answers.map((answer) => ({ functionName: 'consent', arguments: [answer] }))];
  const permutive: Tag = { consent: (...args) => void q.push({ functionName: 'consent', arguments: args }) };
  Object.assign(window, {
    permutive: Object.assign(permutive, { q, config: { workspaceId: 'workspace', ...config } }),
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
  mockSettings.hasExperiment = false;
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
    ['where a queued call cannot be read', { answers: [{ opt_in: true, token: 't' }], queued: [null] }],
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
    [
      'where the stored answer lacks a token',
      { stored: { ...stored, 'permutive-consent': '{"opt_in":true}' } },
      undefined,
    ],
    ['of a visitor who has refused on another host', { cookie: 'permutive-consent=x' }, undefined],
    ['of a visitor who has refused on this page', { answers: [{ opt_in: false }] }, undefined],
    ['where the page has answered with nothing', { answers: [undefined] }, undefined],
    ['where the answer is a text', { answers: [{ opt_in: 'true', token: 't' }] }, undefined],
    ['where the token is null', { answers: [{ opt_in: true, token: null }] }, undefined],
    ['where the stored answer is no JSON', { stored: { ...stored, 'permutive-consent': '{' } }, undefined],
    ['where the stored answer is null', { stored: { ...stored, 'permutive-consent': 'null' } }, undefined],
    [
      'where the stored answer has another type',
      { stored: { ...stored, 'permutive-consent': '{"opt_in":"false","token":"t"}' } },
      undefined,
    ],
    ['where the id is none', { stored: { ...stored, 'permutive-id': 'a@reader.example' } }, undefined],
    [
      'where cookie and id are none',
      { stored: { ...stored, 'permutive-id': '' }, cookie: 'permutive-id=a' },
      undefined,
    ],
  ])('tells no codes, and leaves none to Prebid: %s', (_, given, puid) => {
    const { targeting, keywords } = pageWith(given);
    expect(targeting()).toEqual(puid === other ? { ...listed, puid: [puid] } : {});
    expect(keywords() ?? { permutive: [] }).toEqual({ permutive: [] });
    for (const key of prebidKeys) expect(localStorage.getItem(key)).toBeNull();
  });

  // The SDK takes a setting that it cannot read for true.
  it.each([true, 'false', 0, null])(
    'removes and tells nothing where consent is missing, needed %p',
    (consentRequired) => {
      const { targeting, keywords } = pageWith({ config: { consentRequired } });
      expect(targeting()).toEqual({});
      expect(keywords()).toEqual({ permutive: [] });
      expect(localStorage.getItem('_psegs')).toBe('[9]');
    },
  );

  it('leaves nothing to bidders where the browser objects to sharing, and tells the publisher’s own ad servers', () => {
    const { targeting, keywords } = pageWith({ isObjecting: true });
    expect(targeting()).toMatchObject(told);
    expect(keywords()).toEqual({ permutive: ['9'] });
    for (const key of sharedKeys) expect(localStorage.getItem(key)).toBeNull();
    for (const key of ['_psegs', '_papns']) expect(localStorage.getItem(key)).toBe('[9]');
    expect(localStorage.getItem('_pdfps')).toBe('[7,"8"]');
  });

  it('leaves out codes that have ended', () => {
    jest.spyOn(Date, 'now').mockReturnValue(1000);
    const ends = JSON.stringify({ 7: 999, 8: 1000, 9: 0 });
    const { targeting, keywords } = pageWith({ stored: { ...stored, 'permutive-code-ends': ends } });
    expect(targeting()).toMatchObject({ ...told, permutive: ['8'] });
    expect(keywords()).toEqual({ permutive: [] });
  });

  it.each([true, false])('tells the group of the last page: the project has an experiment %p', (hasExperiment) => {
    mockSettings.hasExperiment = hasExperiment;
    const group = hasExperiment ? { prmtvexp: ['control'] } : {};
    const { targeting, keywords, permutive } = pageWith({ stored: { ...stored, 'permutive-group': '["control"]' } });
    expect(targeting()).toEqual({ ...told, ...group });
    expect(keywords()).toEqual({ permutive: ['9'], ...group });
    permutive.consent({ opt_in: false });
    expect(targeting()).toEqual({});
    expect(keywords()).toEqual({ permutive: [], ...(hasExperiment && { prmtvexp: [] }) });
  });

  it('tells no group of a visitor whom no page has evaluated, nor of another user', () => {
    mockSettings.hasExperiment = true;
    expect(pageWith({}).targeting()).toEqual(told);
    const ofOther = { stored: { ...stored, 'permutive-group': '["control"]' }, cookie: `permutive-id=${other}` };
    expect(pageWith(ofOther).targeting()).toEqual({ ...listed, puid: [other] });
  });

  it('reads no setting that an address may change for the SDK alone', () => {
    const read = ['consentRequired', 'cookieName', 'respectGpc', 'viewId', 'workspaceId', 'windowKey'];
    const address = read.map((name) => `__permutive.${name}=false`).join('&');
    expect(overridesFromQuery(`?${address}`)).toEqual({});
  });

  it('heeds respectGpc of the page', () => {
    pageWith({ isObjecting: true, config: { respectGpc: false } });
    expect(localStorage.getItem('_psegs')).toBe('[9]');
  });

  it('takes back what it has told when the visitor refuses before the SDK has come', () => {
    const { targeting, keywords, permutive } = pageWith({});
    permutive.consent({ opt_in: false });
    expect(targeting()).toEqual({});
    expect(keywords()).toEqual({ permutive: [] });
    expect(localStorage.getItem('_psegs')).toBeNull();
  });

  it.each(['{"opt_in":false}', null])('takes back what it has told when another tab has stored %p', (newValue) => {
    const { targeting, keywords } = pageWith({});
    const answered = (key: string | null): void => {
      localStorage.setItem('permutive-consent', '{"opt_in":false}');
      dispatchEvent(new StorageEvent('storage', { key, newValue }));
    };
    answered('other');
    expect(targeting()).toMatchObject(told);
    answered('permutive-consent');
    expect(targeting()).toEqual({});
    expect(keywords()).toEqual({ permutive: [] });
  });

  it('leaves it to the SDK to go on when another tab consents', () => {
    const { targeting } = pageWith({});
    googletag.setConfig({ targeting: { permutive: ['7', 'rts'] } });
    const newValue = '{"opt_in":true,"token":"t"}';
    localStorage.setItem('permutive-consent', newValue);
    dispatchEvent(new StorageEvent('storage', { key: 'permutive-consent', newValue }));
    expect(targeting()['permutive']).toEqual(['7', 'rts']);
  });

  it('tells the codes once consent comes before the SDK', () => {
    const { targeting, permutive } = pageWith({ config: { consentRequired: true } });
    permutive.consent({ opt_in: true, token: 't' });
    expect(targeting()).toMatchObject(told);
  });

  it('keeps the ads that AppNexus loads before the SDK', () => {
    jest.useFakeTimers();
    document.body.innerHTML = '<div id="place"></div>';
    // What the companion has said to Google stays beside these.
    Object.assign(window, { __permutive: { pps: null } });
    const { apntag } = pageWith({});
    apntag.loadTags();
    apntag.showTag('place');
    jest.runAllTimers();
    jest.useRealTimers();
    expect(window).toMatchObject({
      __permutive: { pps: null, appnexusEvents: [{ eventType: 'adLoaded', arg: { targetId: 'place', tagId: 7 } }] },
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
  });

  it.each(['{"length":2}', '"20111"', '7', '[', 'x'.repeat(2e6)])('tells no codes that are no list: %.20s', (text) => {
    const { targeting, keywords } = pageWith({ stored: { ...stored, _pdfps: text, _papns: text } });
    expect(targeting()['permutive']).toBeUndefined();
    expect(keywords()).toBeUndefined();
  });

  it('throws nothing where there is no tag, or what it needs is frozen', () => {
    const frozen = Object.freeze({ cmd: Object.freeze([]), anq: Object.freeze([]) });
    for (const permutive of [undefined, null, {}, Object.freeze({ q: [], config: {}, consent: () => undefined })]) {
      Object.assign(window, { permutive, googletag: frozen, apntag: frozen });
      expect(runCompanion).not.toThrow();
    }
  });

  it('throws nothing into the ad tags and the page’s own calls', () => {
    const { permutive, apntag } = pageWith({});
    Object.assign(window, {
      googletag: {
        ...googletag,
        pubads: () => {
          throw new Error('broken');
        },
      },
    });
    Object.assign(apntag, {
      setKeywords: () => {
        throw new Error('broken');
      },
    });
    expect(() => permutive.consent({ opt_in: false })).not.toThrow();
    expect(apntag.defineTag({ targetId: 'other', tagId: 7, sizes: [300, 250] })).toBe(apntag.getTag('other'));
  });
});
