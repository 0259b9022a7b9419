import { NEVER, type Observable } from 'rxjs';

import { pixelRequests } from '../../src/platform/pixels';
import { marble, marbles } from '../support/marbles';

const address = 'https://partner.example/p?x=1';
const yes = { t: true, f: false };

/** A violation of the page's policy, as browsers tell of it. */
const violation = (changes: Partial<SecurityPolicyViolationEvent> = {}) => ({
  effectiveDirective: 'connect-src',
  disposition: 'enforce',
  blockedURI: address,
  ...changes,
});

/** A browser with that answer to each fetch, and these violations. */
const browserWith = (answer$: Observable<unknown>, violation$: Observable<unknown> = NEVER) => {
  const [fetched, images]: [string[], string[]] = [[], []];
  const loadImage = jest.fn((url: string): void => void images.push(url));
  const request = pixelRequests({
    fetchPixel: (url) => {
      fetched.push(url);
      return answer$;
    },
    loadImage,
    listen: (target, type) => (target === 'window' && type === 'securitypolicyviolation' ? violation$ : NEVER),
    newId: () => 'id',
  });
  return { request, fetched, images, loadImage };
};

describe('A pixel', () => {
  marble('counts as requested with its answer', ({ cold, expectObservable, flush }) => {
    const { request, fetched, images } = browserWith(cold('--x'));
    expectObservable(request(address)).toBe('              --(t|)', yes);
    flush();
    expect([fetched, images]).toEqual([[address], []]);
  });

  marble('counts as requested after 1,000 ms without a failure', ({ cold, expectObservable }) => {
    const { request } = browserWith(cold('1001ms #'));
    expectObservable(request(address)).toBe('      1s (t|)', yes);
  });

  marble('has failed 1,000 ms after an error, without a violation', ({ cold, expectObservable, flush }) => {
    const { request, images } = browserWith(cold('999ms #'));
    expectObservable(request(address)).toBe('             1999ms (f|)', yes);
    flush();
    expect(images).toEqual([]);
  });

  it.each([
    ['before the fetch fails', '-x', '--#', '-(t|)'],
    ['with it', '--x', '--#', '--(t|)'],
    ['999 ms after it', '-- 999ms x', '--#', '-- 999ms (t|)'],
    ['too late', '-- 1001ms x', '--#', '-- 1s (f|)'],
  ])('is requested as an image where the policy has refused the fetch: told %s', (_, told, answer, expected) => {
    marbles(({ cold, hot, expectObservable, flush }) => {
      const { request, images } = browserWith(cold(answer), hot(told, { x: violation() }));
      expectObservable(request(address)).toBe(expected, yes);
      flush();
      expect(images).toEqual(expected.includes('t') ? [`${address}&cb=id`] : []);
    })();
  });

  it.each([
    ['of another origin', { blockedURI: 'https://partner.example.org/p?x=1' }],
    ['of another kind', { effectiveDirective: 'img-src' }],
    ['of a policy that only reports', { disposition: 'report' as const }],
  ])('is no image after a violation %s', (_, changes) => {
    marbles(({ cold, hot, expectObservable, flush }) => {
      const { request, images } = browserWith(cold('--#'), hot('-x', { x: violation(changes) }));
      expectObservable(request(address)).toBe('-- 1s (f|)', yes);
      flush();
      expect(images).toEqual([]);
    })();
  });

  marble('is an image at once where the policy has refused its origin before', ({ cold, hot, schedule, flush }) => {
    const { request, fetched, images } = browserWith(cold('--#'), hot('-x', { x: violation() }));
    const other = 'https://partner.example/again';
    schedule('a--b', {
      a: () => request(address).subscribe(),
      b: () => request(other).subscribe(),
    });
    flush();
    expect(fetched).toEqual([address]);
    expect(images).toEqual([`${address}&cb=id`, `${other}?cb=id`]);
  });

  marble('has failed where the browser makes no image', ({ cold, hot, expectObservable }) => {
    const { request, loadImage } = browserWith(cold('--#'), hot('-x', { x: violation() }));
    loadImage.mockImplementation(() => {
      throw new Error('no images');
    });
    expectObservable(request(address)).toBe('-(f|)', yes);
  });

  marble('has failed where fetch itself throws', ({ expectObservable }) => {
    const request = pixelRequests({
      fetchPixel: () => {
        throw new Error('no fetch');
      },
      loadImage: () => undefined,
      listen: () => NEVER,
      newId: () => 'id',
    });
    expectObservable(request(address)).toBe('1s (f|)', yes);
  });
});
