/**
 * @jest-environment jsdom
 * @jest-environment-options {"url": "https://www.news.example.co.uk/politics"}
 */
jest.mock('@project/settings', () => ({}), { virtual: true });

import { keepAnswer } from '../src/companion/keepAnswer';
import { leaveToNext } from '../src/companion/leaveToNext';
import { consentRecord } from '../src/model/consent';

const key = 'permutive-consent';
const consented = '{"opt_in":true,"token":"t"}';
const refused = '{"opt_in":false}';
const given = { opt_in: true, token: 't' };
const refusal = { opt_in: false };
type Queue = Parameters<typeof keepAnswer>[0];
const queueOf = (...answers: readonly unknown[]) =>
  answers.map((answer) => ({ functionName: 'consent', arguments: [answer] })) as Queue;
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
afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(document, 'prerendering');
  localStorage.clear();
  for (const domain of ['example.co.uk', 'news.example.co.uk', 'www.news.example.co.uk'])
    cookie.set!.call(document, `${key}=; domain=${domain}; path=/; max-age=0`);
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
    keepAnswer(queueOf(refusal, answer), allowed);
    expect(localStorage.getItem(key)).toBe(stored);
    expect(written).toEqual([]);
  });

  it.each<readonly [string, Queue]>([
    ['a refusal', queueOf(given, refusal)],
    ['what cannot be read', queueOf('yes')],
    ['nothing', queueOf(undefined)],
  ])('is stored as a refusal where it is %s, as a cookie too', (_, queue) => {
    localStorage.setItem(key, consented);
    keepAnswer(queue, notAllowed);
    expect(localStorage.getItem(key)).toBe(refused);
    expect(decodeURIComponent(document.cookie)).toBe(`${key}=${refused}`);
  });

  it('is a cookie of the widest domain that the browser takes, for 180 days, where it is a refusal', () => {
    jest.spyOn(Date, 'now').mockReturnValue(farAhead);
    keepAnswer(queueOf(refusal), notAllowed);
    expect(domains()).toEqual(['uk', 'co.uk', 'example.co.uk']);
    const expires = new Date(farAhead + 180 * 24 * 60 * 60 * 1000).toUTCString();
    expect(written.at(-1)).toBe(
      `${key}=%7B%22opt_in%22%3Afalse%7D; expires=${expires}; domain=example.co.uk; path=/; SameSite=none; secure`,
    );
  });

  it('is no second cookie where there is one', () => {
    refuseElsewhere();
    keepAnswer(queueOf(refusal), notAllowed);
    expect(written).toEqual([]);
    expect(localStorage.getItem(key)).toBe(refused);
  });

  it('removes the cookie of a refusal, where it is consent', () => {
    refuseElsewhere();
    keepAnswer(queueOf(given), allowed);
    expect(document.cookie).toBe('');
    expect(domains()).toEqual(['uk', 'co.uk', 'example.co.uk']);
    expect(localStorage.getItem(key)).toBe(consented);
  });

  it.each<readonly [string, PropertyDescriptor]>([
    ['the browser keeps no cookie', { get: () => '', set: () => undefined }],
    ['an element of the page hides the cookies', { value: document.createElement('form') }],
  ])('is stored where %s', (_, hidden) => {
    Object.defineProperty(document, 'cookie', { configurable: true, ...hidden });
    keepAnswer(queueOf(refusal), notAllowed);
    expect(localStorage.getItem(key)).toBe(refused);
  });

  it.each<readonly [string, Queue]>([
    ['is no answer', [null, { functionName: 'track', arguments: [{ opt_in: true }] }]],
    ['is nothing', []],
  ])('is none where the queue %s: nobody looks for the visitor', (_, queue) => {
    const visitorOf = jest.fn();
    keepAnswer(queue, visitorOf);
    expect(visitorOf).not.toHaveBeenCalled();
  });

  it('is not stored on a page that nobody sees yet', () => {
    Object.defineProperty(document, 'prerendering', { configurable: true, value: true });
    keepAnswer(queueOf(refusal), notAllowed);
    expect([localStorage.getItem(key), written]).toEqual([null, []]);
  });

  it('is left to the SDK where it has come', () => {
    keepAnswer(queueOf(given), () => undefined);
    expect([localStorage.getItem(key), written]).toEqual([null, []]);
  });
});

describe('An answer that a page gives before the SDK has come', () => {
  /** A tag whose stub pushes to its queue. Tells whether the last answer is consent. */
  const page = (...answers: readonly unknown[]) => {
    const q = [...queueOf(...answers)] as Queue[number][];
    const tag = { q, consent: (answer: unknown) => void q.push(...queueOf(answer)) };
    const isConsent = () => q.at(-1)?.arguments[0]?.opt_in === true;
    leaveToNext(tag, () => (isConsent() ? allowed() : notAllowed()));
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
    expect(tag.q).toEqual(queueOf(given, refusal));
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
    leaveToNext(tag, allowed);
    expect(tag.consent).toBeUndefined();
  });
});
