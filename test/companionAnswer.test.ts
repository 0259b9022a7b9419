/**
 * @jest-environment jsdom
 * @jest-environment-options {"url": "https://www.news.example.co.uk/politics"}
 */
jest.mock('@project/settings', () => ({}), { virtual: true });

import fc from 'fast-check';

import { queuedConsent } from '../src/api/tag';
import { keepAnswer } from '../src/companion/keepAnswer';
import { leaveToNext } from '../src/companion/leaveToNext';
import { leavingVisitor } from '../src/gate/leavingVisitor';
import { consentRecord } from '../src/model/consent';
import { orNone } from '../src/primitives/orNone';
import { anySaid, placesOf, stateOf, tagOf } from './support/saidConsent';

const key = 'permutive-consent';
const consented = '{"opt_in":true,"token":"t"}';
const refused = '{"opt_in":false}';
const given = { opt_in: true, token: 't' };
const refusal = { opt_in: false };
type Queue = Parameters<typeof keepAnswer>[0]['q'];
const queueOf = (...answers: readonly unknown[]) =>
  answers.map((answer) => ({ functionName: 'consent', arguments: [answer] })) as Queue;
/** Stores the last answer of a queue. Returns the tag, whose queue is a copy. */
const keep = (queue: Queue, visitorOf: Parameters<typeof keepAnswer>[1]) => {
  const tag: Parameters<typeof keepAnswer>[0] = { q: [...queue] };
  keepAnswer(tag, visitorOf, cookieOf);
  return tag;
};
const cookieOf = (name: string) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1];
const allowed = () => ({ userId: undefined, config: {} });
const notAllowed = () => ({ userId: false as const, config: {} });

/** A time at which no cookie of a test has ended, in ms since 1970. */
const farAhead = 4e12;

/** The domains of the cookies that were written, and the last cookie. */
let written: string[] = [];
const domains = () => written.map((text) => /domain=([^;]*)/.exec(text)?.[1]);
const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')!;
/** A refusal on another host of the site. */
const refuseElsewhere = (): void => cookie.set!.call(document, `${key}=x; domain=example.co.uk; path=/; secure`);
beforeEach(() => {
  written = [];
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    get: () => cookie.get!.call(document) as string,
    set: (text: string) => {
      written.push(text);
      cookie.set!.call(document, text);
    },
  });
});
const forgetAll = (): void => {
  localStorage.clear();
  for (const domain of ['example.co.uk', 'news.example.co.uk', 'www.news.example.co.uk'])
    cookie.set!.call(document, `${key}=; domain=${domain}; path=/; max-age=0`);
};
afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(document, 'prerendering');
  forgetAll();
});

describe('The last answer in the queue of a page', () => {
  it.each<readonly [string, unknown, string]>([
    ['with its token', given, consented],
    ['without a token', { opt_in: true }, JSON.stringify(consentRecord({ opt_in: true }))],
    [
      'with a token that is undefined',
      { opt_in: true, token: undefined },
      '{"opt_in":true,"token":"permutive-consent"}',
    ],
    ['and nothing else of it', { ...given, email: 'a@reader.example' }, consented],
  ])('is stored where it is consent, %s', (_, answer, stored) => {
    localStorage.setItem(key, refused);
    keep(queueOf(refusal, answer), allowed);
    expect(localStorage.getItem(key)).toBe(stored);
    expect(written).toEqual([]);
  });

  it.each<readonly [string, Queue]>([
    ['a refusal', queueOf(given, refusal)],
    ['what cannot be read', queueOf('yes')],
    ['nothing', queueOf(undefined)],
  ])('is stored as a refusal where it is %s, as a cookie too', (_, queue) => {
    localStorage.setItem(key, consented);
    keep(queue, notAllowed);
    expect(localStorage.getItem(key)).toBe(refused);
    expect(decodeURIComponent(document.cookie)).toBe(`${key}=${refused}`);
  });

  it('is a cookie of the widest domain that the browser takes, for 180 days, where it is a refusal', () => {
    jest.spyOn(Date, 'now').mockReturnValue(farAhead);
    keep(queueOf(refusal), notAllowed);
    expect(domains()).toEqual(['uk', 'co.uk', 'example.co.uk']);
    const expires = new Date(farAhead + 180 * 24 * 60 * 60 * 1000).toUTCString();
    expect(written.at(-1)).toBe(
      `${key}=%7B%22opt_in%22%3Afalse%7D; expires=${expires}; domain=example.co.uk; path=/; SameSite=none; secure`,
    );
  });

  it('is no second cookie where there is one', () => {
    refuseElsewhere();
    keep(queueOf(refusal), notAllowed);
    expect(written).toEqual([]);
    expect(localStorage.getItem(key)).toBe(refused);
  });

  it('removes the cookie of a refusal, where it is consent', () => {
    refuseElsewhere();
    keep(queueOf(given), allowed);
    expect(document.cookie).toBe('');
    expect(domains()).toEqual(['uk', 'co.uk', 'example.co.uk']);
    expect(localStorage.getItem(key)).toBe(consented);
  });

  it.each<readonly [string, PropertyDescriptor]>([
    ['the browser keeps no cookie', { get: () => '', set: () => undefined }],
    ['an element of the page hides the cookies', { value: document.createElement('form') }],
  ])('is stored where %s', (_, hidden) => {
    Object.defineProperty(document, 'cookie', { configurable: true, ...hidden });
    keep(queueOf(refusal), notAllowed);
    expect(localStorage.getItem(key)).toBe(refused);
  });

  it.each<readonly [string, Queue]>([
    ['is no answer', [null, { functionName: 'track', arguments: [{ opt_in: true }] }]],
    ['is nothing', []],
  ])('is none where the queue %s: nobody looks for the visitor', (_, queue) => {
    const visitorOf = jest.fn();
    keep(queue, visitorOf);
    expect(visitorOf).not.toHaveBeenCalled();
  });

  it('is not stored on a page that nobody sees yet', () => {
    Object.defineProperty(document, 'prerendering', { configurable: true, value: true });
    keep(queueOf(refusal), notAllowed);
    expect([localStorage.getItem(key), written]).toEqual([null, []]);
  });

  it('is left to the SDK where it has come', () => {
    keep(queueOf(given), () => undefined);
    expect([localStorage.getItem(key), written]).toEqual([null, []]);
  });
});

describe('The queue of a page', () => {
  const track = { functionName: 'track', arguments: [{}] };

  it.each<readonly [string, Queue, typeof allowed | typeof notAllowed]>([
    ['consent', queueOf(refusal, given), allowed],
    ['a refusal', queueOf(given, refusal), notAllowed],
  ])('has no answer any more that is stored, and all other calls in their order: %s', (_, answers, visitorOf) => {
    const others = [null, track, { ...track }] as const;
    const tag = keep([others[0], ...answers, others[1], ...answers, others[2]], visitorOf);
    expect(tag).toEqual({ q: others, isAnswered: true });
  });

  it.each<readonly [string, Queue]>([
    ['what cannot be read, because the SDK reports it', queueOf(given, { opt_in: 'no' })],
    ['nothing', queueOf(undefined)],
    ['consent without a token', queueOf({ opt_in: true, token: '' })],
  ])('keeps its answers where the last one is %s', (_, queue) => {
    expect(keep(queue, notAllowed)).toEqual({ q: queue });
    expect(localStorage.getItem(key)).toBe(refused);
  });

  it('keeps consent that local storage has no room for', () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('no', 'QuotaExceededError');
    });
    const tag: Parameters<typeof keepAnswer>[0] = { q: [...queueOf(given)] };
    expect(() => keepAnswer(tag, allowed, cookieOf)).toThrow('no');
    expect(tag).toEqual({ q: queueOf(given) });
  });

  it('keeps a refusal of which the browser keeps no cookie: the SDK tries again', () => {
    Object.defineProperty(document, 'cookie', { configurable: true, get: () => '', set: () => undefined });
    expect(keep(queueOf(refusal), notAllowed)).toEqual({ q: queueOf(refusal) });
  });

  it('keeps consent where the cookie of a refusal cannot be removed', () => {
    Object.defineProperty(document, 'cookie', { configurable: true, get: () => `${key}=x`, set: () => undefined });
    expect(keep(queueOf(given), allowed)).toEqual({ q: queueOf(given) });
  });

  it.each([
    ['on a page that nobody sees yet', allowed],
    ['where the SDK has come', () => undefined],
  ])('keeps its answers %s', (where, visitorOf) => {
    if (where.includes('nobody')) Object.defineProperty(document, 'prerendering', { configurable: true, value: true });
    expect(keep(queueOf(given), visitorOf)).toEqual({ q: queueOf(given) });
  });

  it('leaves the SDK and the next page the answer of before, whatever page and visitor have said', () => {
    fc.assert(
      fc.property(anySaid, (said) => {
        forgetAll();
        if (said.stored !== null) localStorage.setItem(key, said.stored);
        if (said.cookie !== undefined) refuseElsewhere();
        const queue = Array.isArray(said.queue) ? [...(said.queue as readonly unknown[])] : said.queue;
        const places = { ...placesOf({ ...said, queue }), cookie: cookieOf, local: () => localStorage };
        orNone(() =>
          keepAnswer(places.tag as unknown as { q: Queue }, () => leavingVisitor(places, 'visitor'), cookieOf),
        );
        const later = { ...said, queue, cookie: cookieOf(key), stored: localStorage.getItem(key) };
        expect(stateOf(later)).toBe(stateOf(said));
        // So does the next page, where this one is left before the SDK has come.
        if (queuedConsent(tagOf(said)).length > 0) expect(stateOf({ ...later, queue: [] })).toBe(stateOf(said));
      }),
    );
  });

  it('is the same list, because the stubs of the page push to it', () => {
    const tag: Parameters<typeof keepAnswer>[0] = { q: [...queueOf(given)] };
    const { q } = tag;
    keepAnswer(tag, allowed, cookieOf);
    expect(tag.q).toBe(q);
  });
});

describe('An answer that a page gives before the SDK has come', () => {
  /** A tag whose stub pushes to its queue. Tells whether the last answer is consent. */
  const page = (...answers: readonly unknown[]) => {
    const q = [...queueOf(...answers)] as Queue[number][];
    const tag = { q, consent: (answer: unknown) => void q.push(...queueOf(answer)) };
    const isConsent = () => q.at(-1)?.arguments[0]?.opt_in === true;
    leaveToNext(tag, () => (isConsent() ? allowed() : notAllowed()), cookieOf);
    return tag;
  };
  const stored = () => localStorage.getItem(key);

  it('is stored at the end of its task, and so is a later one', async () => {
    const tag = page();
    tag.consent(given);
    expect(stored()).toBeNull();
    await Promise.resolve();
    expect(stored()).toBe(consented);
    tag.consent(refusal);
    await Promise.resolve();
    expect(stored()).toBe(refused);
  });

  it('is never stored where the visitor withdraws it in the same task', async () => {
    const write = jest.spyOn(Storage.prototype, 'setItem');
    const tag = page();
    tag.consent(given);
    tag.consent(refusal);
    await Promise.resolve();
    expect(write.mock.calls.map(([, text]) => text)).not.toContain(consented);
    expect(stored()).toBe(refused);
  });

  it('is stored once: it does not undo what another tab has answered since', async () => {
    const tag = page(given);
    await Promise.resolve();
    localStorage.setItem(key, refused);
    // The page script comes after the companion.
    leaveToNext(tag, allowed, cookieOf);
    await Promise.resolve();
    expect(stored()).toBe(refused);
  });

  it('is stored where it was in the queue before', async () => {
    page(given);
    await Promise.resolve();
    expect(stored()).toBe(consented);
  });

  it('is a cookie where local storage is full', async () => {
    const storage = new Proxy(localStorage, {
      set: () => {
        throw new DOMException('no', 'QuotaExceededError');
      },
    });
    jest.spyOn(window, 'localStorage', 'get').mockReturnValue(storage);
    page(refusal);
    await Promise.resolve();
    expect(decodeURIComponent(document.cookie)).toBe(`${key}=${refused}`);
  });

  it('is an error of the page where the tag has no such method', () => {
    const tag = { q: [] } as unknown as ReturnType<typeof page>;
    leaveToNext(tag, allowed, cookieOf);
    expect(tag.consent).toBeUndefined();
  });
});
