/** @jest-environment jsdom */
import { visitorId } from './support/events';

jest.mock(
  '@project/settings',
  () => ({ windowKey: 'permutive', cookieName: 'permutive-id', consentRequired: false, respectGpc: true }),
  { virtual: true },
);

import { auctionEntries } from '../src/companion/auctionEntries';
import { companion } from '../src/companion/companion';
import { googleSignals } from '../src/companion/googleSignals';

const other = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
const keys = ['permutive-pps', 'permutive-prebid-data'];
const stored = {
  'permutive-id': visitorId,
  'permutive-pps': '[["IAB_AUDIENCE_1_1","268","1","2"],["IAB_AUDIENCE_1_1","9","2"],["IAB_CONTENT_2_2","48","3"]]',
  'permutive-prebid-data': '[["4","268","1","2"],["4","9","2"],["500","own","3"]]',
};
const signals = (taxonomies: Readonly<Record<string, readonly string[]>>): object => ({
  taxonomies: Object.fromEntries(Object.entries(taxonomies).map(([name, values]) => [name, { values }])),
});
const all = signals({ IAB_AUDIENCE_1_1: ['268', '9'], IAB_CONTENT_2_2: ['48'] });
const listOf = (segtax: number, ...ids: readonly string[]): object => ({
  name: 'localhost',
  ext: { segtax },
  segment: ids.map((id) => ({ id })),
});
const allData = [listOf(4, '268', '9'), listOf(500, 'own')];

interface Given {
  readonly stored?: Readonly<Record<string, string>>;
  readonly cookie?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly answers?: readonly unknown[];
  readonly isObjecting?: boolean;
}

interface Tag {
  consent: (answer?: unknown) => void;
  version?: string;
}

/** A page with the tag and the companion. */
const pageWith = ({ config = {}, answers = [], cookie, isObjecting, ...given }: Given = {}) => {
  for (const [key, text] of Object.entries(given.stored ?? stored)) localStorage.setItem(key, text);
  if (cookie !== undefined) document.cookie = cookie;
  const q: unknown[] = answers.map((answer) => ({ functionName: 'consent', arguments: [answer] }));
  const permutive: Tag & { q: unknown[]; config: object } = {
    q,
    config,
    consent: (...args) => void q.push({ functionName: 'consent', arguments: args }),
  };
  const commands: (() => void)[] = [];
  Reflect.deleteProperty(window, 'pbjs');
  Object.assign(window, { permutive, googletag: undefined, __permutive: undefined, _pbjsGlobals: undefined });
  Object.defineProperty(navigator, 'globalPrivacyControl', { value: isObjecting, configurable: true });
  companion(googleSignals, auctionEntries);
  const set: unknown[] = [];
  /** Google's tag loads, and runs what its queue holds. */
  const loadGoogle = (): unknown[] => {
    const { cmd } = (window as unknown as { googletag: { cmd: (() => void)[] } }).googletag;
    commands.push(...cmd);
    const setConfig = ({ pps }: { readonly pps?: unknown }): void => void set.push(pps);
    Object.assign(window, { googletag: { setConfig, cmd: { push: (command: () => void) => command() } } });
    for (const command of commands) command();
    return set;
  };
  return { permutive, loadGoogle, set };
};

type Ortb2 = { readonly user?: { readonly data?: readonly unknown[] } } | undefined;

/** A build of Prebid under a name, which loads as those of Prebid do. `queued`: what the page has asked of it. */
const loadPrebid = (name: string, queued: readonly (() => void)[] = [], before?: Ortb2) => {
  let ortb2 = before;
  let listeners: (() => void)[] = [];
  const que = [...queued];
  const auctions: unknown[] = [];
  let sets = 0;
  const build = {
    que,
    onEvent: (type: string, listener: () => void) => void (type === 'requestBids' && listeners.push(listener)),
    getConfig: () => ortb2,
    setConfig: (config: { readonly ortb2: Ortb2 }) => {
      ({ ortb2 } = config);
      sets += 1;
    },
    requestBids: () => {
      for (const listener of listeners) listener();
      auctions.push(ortb2);
    },
  };
  const page = window as unknown as { _pbjsGlobals?: string[] } & Record<string, unknown>;
  page[name] = build;
  (page._pbjsGlobals ??= []).push(name);
  for (const command of que) command();
  const hold = (): unknown => {
    build.requestBids();
    return auctions.at(-1);
  };
  return { hold, build, auctions, sets: () => sets, forget: () => (listeners = []) };
};
const on = (name: string): ReturnType<typeof loadPrebid>['build'] =>
  (window as unknown as Record<string, ReturnType<typeof loadPrebid>['build']>)[name] as ReturnType<
    typeof loadPrebid
  >['build'];

afterEach(() => {
  localStorage.clear();
  for (const name of ['permutive-id', 'permutive-consent'])
    document.cookie = `${name}=; expires=Thu, 01 Jan 1970 00:00:00 GMT`;
  jest.restoreAllMocks();
});

describe('What cohorts mean, in the first ad request and the first auction', () => {
  it('is what the last page has stored', () => {
    const { loadGoogle } = pageWith();
    expect(loadGoogle()).toEqual([all]);
    expect(window).toMatchObject({ __permutive: { pps: all } });
    expect(loadPrebid('pbjs').hold()).toEqual({ user: { data: allData } });
  });

  it('leaves out what no cohort means any more that lasts', () => {
    jest.spyOn(Date, 'now').mockReturnValue(1000);
    const ends = { 1: 1000, 2: 999, 3: 0 };
    const { loadGoogle } = pageWith({ stored: { ...stored, 'permutive-code-ends': JSON.stringify(ends) } });
    expect(loadGoogle()).toEqual([signals({ IAB_AUDIENCE_1_1: ['268'] })]);
    expect(loadPrebid('pbjs').hold()).toEqual({ user: { data: [listOf(4, '268')] } });
  });

  it.each<readonly [string, Given, boolean]>([
    ['of another user than the cookie', { cookie: `permutive-id=${other}` }, false],
    ['of nobody', { stored: { ...stored, 'permutive-id': '' } }, false],
    ['of a visitor who has refused', { stored: { ...stored, 'permutive-consent': '{"opt_in":false}' } }, false],
    ['of a visitor who has refused on this page', { answers: [{ opt_in: false }] }, false],
    ['of a visitor who objects to sharing', { isObjecting: true }, false],
    // The visitor may say yes to it on this page.
    ['where consent is missing', { config: { consentRequired: true } }, true],
    ['where nothing is stored', { stored: { 'permutive-id': visitorId } }, false],
    ['that is no list', { stored: { ...stored, ...Object.fromEntries(keys.map((key) => [key, '7'])) } }, true],
    ['that is no JSON', { stored: { ...stored, ...Object.fromEntries(keys.map((key) => [key, '['])) } }, true],
    [
      'of a list of something else',
      { stored: { ...stored, ...Object.fromEntries(keys.map((key) => [key, '[7]'])) } },
      true,
    ],
  ])('is not told %s, and signals of the page are left alone', (_, given, isKept) => {
    const { loadGoogle } = pageWith(given);
    expect(loadGoogle()).toEqual([]);
    expect(loadPrebid('pbjs').hold()).toBeUndefined();
    expect(keys.map((key) => localStorage.getItem(key) !== null)).toEqual([isKept, isKept]);
  });

  it('is taken back when the visitor refuses before the SDK has come, and told when they consent', () => {
    const { loadGoogle, permutive, set } = pageWith({ config: { consentRequired: true } });
    loadGoogle();
    const { hold } = loadPrebid('pbjs');
    hold();
    permutive.consent({ opt_in: true, token: 't' });
    expect(set).toEqual([all]);
    expect(hold()).toEqual({ user: { data: allData } });
    permutive.consent({ opt_in: false });
    expect(set).toEqual([all, null]);
    expect(hold()).toEqual({ user: { data: [] } });
    // Nothing is left to take back.
    permutive.consent({ opt_in: false });
    expect(set).toEqual([all, null]);
  });

  it('is left to the SDK for Google once the SDK has come', () => {
    const { loadGoogle, permutive } = pageWith();
    permutive.version = '1';
    expect(loadGoogle()).toEqual([]);
  });

  it('is in auctions as it is stored at that moment, whoever has stored it', () => {
    pageWith();
    const { hold, sets } = loadPrebid('pbjs');
    hold();
    hold();
    expect(sets()).toBe(1);
    localStorage.setItem('permutive-prebid-data', '[["500","own","3"]]');
    expect(hold()).toEqual({ user: { data: [listOf(500, 'own')] } });
    localStorage.removeItem('permutive-prebid-data');
    expect(hold()).toEqual({ user: { data: [] } });
    expect(sets()).toBe(3);
  });

  it('is in an auction that the page has asked for before Prebid has loaded, whatever the build is called', () => {
    pageWith();
    const asked = [() => on('houseBids').setConfig({ ortb2: undefined }), () => on('houseBids').requestBids()];
    expect(loadPrebid('houseBids', asked).auctions).toEqual([{ user: { data: allData } }]);
    expect(loadPrebid('otherBids', [() => on('otherBids').requestBids()]).auctions).toEqual([
      { user: { data: allData } },
    ]);
    expect((window as unknown as { _pbjsGlobals: string[] })._pbjsGlobals).toHaveLength(2);
    // The SDK takes a queue under the usual name for Prebid's.
    expect(window).not.toHaveProperty('pbjs');
  });

  it('is beside what the page and others say, also where the page sets all anew', () => {
    pageWith();
    const others = [
      { name: 'other.example', ext: { segtax: 4 }, segment: [] },
      null,
      listOf(600, '3'),
      { name: 'localhost' },
    ];
    const data = [listOf(4, 'of another script'), ...others];
    const before = { user: { keywords: 'a', data }, site: { name: 'Site' } };
    const { hold, build, sets } = loadPrebid('pbjs', [], before);
    expect(hold()).toEqual({ site: { name: 'Site' }, user: { keywords: 'a', data: [...others, ...allData] } });
    // The SDK says the same in another order.
    build.setConfig({ ortb2: { user: { data: [...[...allData].reverse(), ...others] } } });
    const count = sets();
    hold();
    expect(sets()).toBe(count);
    build.setConfig({ ortb2: { user: { data: [listOf(4, 'of the page before'), ...others] } } });
    expect(hold()).toEqual({ user: { data: [...others, ...allData] } });
  });

  it('throws nothing into a page whose Prebid or tag is none', () => {
    pageWith();
    const page = window as unknown as { _pbjsGlobals: unknown[]; permutive: unknown };
    expect(() => page._pbjsGlobals.push('nothing', 7, null)).not.toThrow();
    expect(page._pbjsGlobals).toEqual(['nothing', 7, null]);
    const { hold } = loadPrebid('pbjs', [], { user: { data: 'none' as unknown as [] } });
    expect(hold()).toEqual({ user: { data: 'none' } });
    page.permutive = undefined;
    expect(hold).not.toThrow();
    Object.assign(window, { _pbjsGlobals: Object.freeze([]) });
    expect(auctionEntries).not.toThrow();
  });
});
