import fc from 'fast-check';

import { mayOverride } from '../../src/platform/mayOverride';
import { overridesFromQuery } from '../../src/streams/visitor/overrides';
import { lawOf } from '../support/laws';

const pageAt = (href: string, kept: string | null = null): Parameters<typeof mayOverride>[0] => ({
  location: { href } as Location,
  sessionStorage: {
    getItem: (key: string) => (key === '__permutiveConfigQueryParams' ? kept : null),
  } as unknown as Storage,
});

describe('Overrides are looked for', () => {
  it.each([
    '__permutive.requestTimeout=2000',
    'a=b&permutive_debug=true',
    '%5F_permutive%2EloggingEnabled=false',
    'a=%&b=%zz&permutive%5Fdebug=true',
  ])('where the address says %s', (query) => {
    expect(mayOverride(pageAt(`https://site.example/article?${query}#top`))).toBe(true);
  });

  it('where the tab has kept some', () => {
    expect(mayOverride(pageAt('https://site.example/', '{}'))).toBe(true);
  });

  it.each(['', 'a=b&debug=true', 'utm_source=permutive&permutive.debug=true'])('nowhere else: %s', (query) => {
    expect(mayOverride(pageAt(`https://permutive.example/article?${query}`))).toBe(false);
  });

  it('by the address alone where session storage is denied', () => {
    const denied = (href: string): boolean =>
      mayOverride({
        location: { href } as Location,
        get sessionStorage(): Storage {
          throw new Error('denied');
        },
      });
    expect(denied('https://site.example/?permutive_debug=true')).toBe(true);
    expect(denied('https://site.example/')).toBe(false);
  });

  /** A character as it is, or as `encodeURIComponent` writes the others. */
  const written = (text: string): fc.Arbitrary<string> =>
    fc
      .tuple(
        ...Array.from(text, (c) => fc.boolean().map((isPlain) => (isPlain ? c : `%${c.charCodeAt(0).toString(16)}`))),
      )
      .map((all) => all.join(''));

  it('wherever an address has one, however its name is written', () => {
    const name = fc.constantFrom(
      '__permutive.loggingEnabled',
      '__permutive.requestTimeout',
      'permutive_debug',
      'other',
    );
    const pair = fc
      .tuple(name.chain(written), fc.constantFrom('true', '5000', '', '%'))
      .map((parts) => parts.join('='));
    lawOf(100)(fc.array(pair, { maxLength: 4 }), (pairs) => {
      const query = `?${pairs.join('&')}`;
      const found = mayOverride(pageAt(`https://site.example/${query}`));
      if (!found) expect(overridesFromQuery(query)).toEqual({});
    })();
  });
});
