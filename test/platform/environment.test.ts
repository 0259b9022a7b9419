/** @jest-environment jsdom */
import { beaconSender, lockRequest, mark, online, privacyControl, userAgent } from '../../src/platform/environment';

/** What stands in the place of a fact, as a getter of the page or an extension. */
const others: readonly (readonly [string, () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a number', () => 7],
  [
    'an error',
    () => {
      throw new Error('no');
    },
  ],
];
const answer = (owner: object, name: string, get: () => unknown): void =>
  void Object.defineProperty(owner, name, { configurable: true, get });

describe('A fact of the browser', () => {
  afterEach(() => {
    for (const name of ['userAgent', 'onLine', 'globalPrivacyControl', 'locks', 'sendBeacon'])
      Reflect.deleteProperty(navigator, name);
    Reflect.deleteProperty(performance, 'mark');
    jest.restoreAllMocks();
  });

  it('is what the browser says', async () => {
    answer(navigator, 'userAgent', () => 'Browser/1');
    answer(navigator, 'onLine', () => false);
    answer(navigator, 'globalPrivacyControl', () => true);
    answer(navigator, 'locks', () => ({
      granted: 'granted',
      request(this: { readonly granted: string }, name: string) {
        return Promise.resolve(`${name} ${this.granted}`);
      },
    }));
    answer(
      navigator,
      'sendBeacon',
      () =>
        function (this: unknown, url: string) {
          return this === navigator && url === '/b';
        },
    );
    const marked = jest.fn();
    answer(performance, 'mark', () => marked);
    mark('permutive:ready');
    expect([userAgent(), online(), privacyControl()]).toEqual(['Browser/1', false, true]);
    const request = lockRequest() as unknown as (name: string) => Promise<string>;
    expect(await request('a')).toBe('a granted');
    expect(beaconSender()?.('/b')).toBe(true);
    expect(marked.mock.calls).toEqual([['permutive:ready']]);
  });

  it.each(others)('has what stands for it where the answer is %s', (_, get) => {
    for (const name of ['userAgent', 'onLine', 'globalPrivacyControl', 'locks', 'sendBeacon'])
      answer(navigator, name, get);
    answer(performance, 'mark', get);
    expect([userAgent(), online(), privacyControl(), lockRequest(), beaconSender()]).toEqual([
      '',
      true,
      false,
      undefined,
      undefined,
    ]);
    expect(() => mark('permutive:ready')).not.toThrow();
  });

  it.each(others)('has what stands for it where all that has it is %s', (_, get) => {
    const [navigatorOf, performanceOf] = ['navigator', 'performance'].map((name) =>
      Object.getOwnPropertyDescriptor(globalThis, name),
    );
    answer(globalThis, 'navigator', get);
    answer(globalThis, 'performance', get);
    try {
      expect([userAgent(), online(), privacyControl(), lockRequest(), beaconSender()]).toEqual([
        '',
        true,
        false,
        undefined,
        undefined,
      ]);
      expect(() => mark('permutive:ready')).not.toThrow();
    } finally {
      Object.defineProperty(globalThis, 'navigator', navigatorOf as PropertyDescriptor);
      Object.defineProperty(globalThis, 'performance', performanceOf as PropertyDescriptor);
    }
  });
});
