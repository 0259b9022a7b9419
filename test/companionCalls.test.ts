/** @jest-environment jsdom */
import { visitorId } from './support/events';

jest.mock(
  '@project/settings',
  () => ({ windowKey: 'permutive', cookieName: 'permutive-id', consentRequired: false, respectGpc: true }),
  { virtual: true },
);

import { tagMethods } from '../src/api/tagMethods';
import { companion } from '../src/companion/companion';
import { keepCalls } from '../src/companion/keepCalls';

const key = 'permutive-left-calls';
const viewId = 'c56a4180-65aa-42ec-a945-5fd21dec0538';
const consent = { 'permutive-consent': '{"opt_in":true,"token":"t"}' };
const web = { functionName: 'addon', arguments: ['web', { page: { section: 'markets' } }] };
const track = (name = 'Read', properties: unknown = {}) => ({ functionName: 'track', arguments: [name, properties] });

interface Given {
  readonly stored?: Readonly<Record<string, string>>;
  readonly q?: readonly unknown[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly version?: string;
  readonly persisted?: boolean;
}

/** Listeners of the pages before, which have ended. */
let listeners: [string, EventListener][] = [];
beforeEach(() => {
  const add = window.addEventListener.bind(window);
  jest.spyOn(window, 'addEventListener').mockImplementation((type: string, listener: unknown) => {
    listeners.push([type, listener as EventListener]);
    add(type, listener as EventListener);
  });
});
const endPage = (): void => {
  for (const [type, listener] of listeners) window.removeEventListener(type, listener);
  listeners = [];
};
afterEach(() => {
  jest.restoreAllMocks();
  endPage();
  localStorage.clear();
  document.cookie = 'permutive-consent=; expires=Thu, 01 Jan 1970 00:00:00 GMT';
});

const open = ({ stored = { ...consent, 'permutive-id': visitorId }, q = [web, track()], config = {} }: Given = {}) => {
  for (const [name, text] of Object.entries(stored)) localStorage.setItem(name, text);
  const tag = { q: [...q], config: { viewId, ...config }, consent: (answer: unknown) => void answer };
  tag.consent = (answer) => void tag.q.push({ functionName: 'consent', arguments: [answer] });
  Object.assign(window, { permutive: tag });
  companion(() => undefined, keepCalls);
  return tag;
};
const leave = (persisted = false): void => {
  dispatchEvent(Object.assign(new Event('pagehide'), { persisted }));
};
const kept = (): unknown => JSON.parse(localStorage.getItem(key) ?? 'null');
/** What a page has left that was open with this and left before the SDK had come. */
const leftBy = (given: Given = {}): unknown => {
  Object.assign(open(given), given.version && { version: given.version });
  leave(given.persisted);
  endPage();
  return kept();
};
const facts: readonly unknown[] = [expect.any(Number), visitorId, viewId, '/', '', ''];

describe('The companion of a page that is left before the SDK has come', () => {
  it.each([[undefined], [null], [7]])('keeps the calls where the referrer is %p', (referrer) => {
    jest.spyOn(document, 'referrer', 'get').mockReturnValue(referrer as unknown as string);
    expect(leftBy()).toEqual([facts, web, track()]);
  });

  it('keeps the calls that tell events, with what is known of the page', () => {
    history.replaceState(null, '', '/news/copper?email=a@reader.example#token');
    document.title = 'Copper?';
    jest.spyOn(document, 'referrer', 'get').mockReturnValue('https://search.example/find?q=mine');
    jest.spyOn(Date, 'now').mockReturnValue(7);
    expect(leftBy()).toEqual([
      [7, visitorId, viewId, '/news/copper', 'Copper?', 'https://search.example/find'],
      web,
      track(),
    ]);
    history.replaceState(null, '', '/');
    document.title = '';
  });

  it.each<readonly [string, Given]>([
    [
      'with an answer of the page',
      { stored: { 'permutive-id': visitorId }, q: [track(), ...answers({ opt_in: true })] },
    ],
    ['where no consent is needed and nobody has answered', { stored: { 'permutive-id': visitorId }, q: [track()] }],
    ['beside entries that are no calls', { q: [null, 7, {}, track()] }],
  ])('keeps them %s', (_, given) => expect(leftBy(given)).toEqual([facts, track()]));

  it('keeps them of a visitor who has no id yet, without one', () => {
    expect(leftBy({ stored: consent, q: [track()] })).toEqual([[facts[0], null, ...facts.slice(2)], track()]);
  });

  it.each<readonly [string, Given]>([
    ['without consent that is needed', { stored: { 'permutive-id': visitorId }, config: { consentRequired: true } }],
    ['with a setting that cannot be read', { stored: { 'permutive-id': visitorId }, config: { consentRequired: 0 } }],
    ['after a refusal', { stored: { 'permutive-id': visitorId, 'permutive-consent': '{"opt_in":false}' } }],
    ['after a refusal on this page', { q: [track(), ...answers({ opt_in: false })] }],
    ['after an answer that cannot be read', { stored: { 'permutive-id': visitorId, 'permutive-consent': '{' } }],
    ['where the SDK has come', { version: 'v1' }],
    ['where the page may return', { persisted: true }],
    [
      'where no call tells an event',
      { q: tagMethods.filter((name) => !/^(track|addon|consent)$/.test(name)).map(callOf) },
    ],
    ['where there is no queue', { q: [] }],
    ['without consent and without an id', { stored: {}, config: { consentRequired: true } }],
  ])('keeps nothing %s', (_, given) => expect(leftBy(given)).toBeNull());

  it('keeps nothing after a refusal on another host of the site', () => {
    document.cookie = 'permutive-consent=x';
    expect(leftBy()).toBeNull();
  });

  it('removes what earlier pages have kept where the visitor refuses', () => {
    leftBy();
    const tag = open();
    tag.consent({ opt_in: false });
    expect(kept()).not.toBeNull();
    leave();
    expect(kept()).toBeNull();
  });

  it('removes it where another tab has refused', () => {
    leftBy();
    open();
    localStorage.setItem('permutive-consent', '{"opt_in":false}');
    leave();
    expect(kept()).toBeNull();
  });

  it('keeps nothing by itself: the part for the head of a page does', () => {
    const tag = open();
    endPage();
    companion(() => undefined);
    expect(tag.q).not.toEqual([]);
    leave();
    expect(kept()).toBeNull();
  });

  it('leaves out functions, and a call with what is no JSON', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const throwing = {
      get field() {
        throw new Error('of the page');
      },
    };
    const q = [
      { functionName: 'addon', arguments: ['web', { completion: () => 1, page: { a: 1, f: () => 1 } }] },
      track('Cycle', cycle),
      track('Big', { count: BigInt(7) }),
      track('Throwing', throwing),
      track('Read', JSON.parse('{"__proto__":{"polluted":1},"a":1}')),
    ];
    expect(leftBy({ q })).toEqual([
      facts,
      { functionName: 'addon', arguments: ['web', { page: { a: 1 } }] },
      track('Read', JSON.parse('{"__proto__":{"polluted":1},"a":1}')),
    ]);
  });

  it('keeps 20,000 characters of all pages at most, and what has room beside what has none', () => {
    expect(leftBy({ q: [track('Huge', { text: 'x'.repeat(20_000) }), track()] })).toEqual([facts, track()]);
    for (let i = 0; i < 30; i += 1) leftBy({ q: [track('Long', { text: 'x'.repeat(900) }), track('Short')] });
    expect(localStorage.getItem(key)?.length).toBeLessThanOrEqual(20_000);
    expect(localStorage.getItem(key)?.length).toBeGreaterThan(18_000);
  });

  it('adds what two tabs have kept', () => {
    open({ q: [track('First')] });
    const first = listeners.splice(0);
    open({ q: [track('Second')] });
    listeners.push(...first);
    leave();
    // The later listener reads what the one before it has stored.
    expect(kept()).toEqual([facts, track('First'), facts, track('Second')]);
  });

  it.each([
    ['full', 'QuotaExceededError'],
    ['refused', 'SecurityError'],
  ])('throws nothing where storage is %s', (_, name) => {
    open();
    const onError = jest.fn();
    window.addEventListener('error', onError);
    const refuse = () => {
      throw new DOMException('no', name);
    };
    const refused = new Proxy(localStorage, { set: refuse });
    jest.spyOn(window, 'localStorage', 'get').mockReturnValue(refused);
    leave();
    jest.spyOn(window, 'localStorage', 'get').mockImplementation(refuse);
    leave();
    expect(onError).not.toHaveBeenCalled();
  });

  it('keeps no more where what is kept is broken, and leaves that to the SDK', () => {
    localStorage.setItem(key, '[[7');
    open();
    leave();
    expect(localStorage.getItem(key)).toBe('[[7');
  });
});

function answers(...given: readonly unknown[]) {
  return given.map((answer) => ({ functionName: 'consent', arguments: [answer] }));
}

function callOf(functionName: string) {
  return { functionName, arguments: ['web', {}] };
}
