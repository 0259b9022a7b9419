import * as fc from 'fast-check';

import { webAddress } from '../../src/primitives/webAddress';
import { secretNames } from '../../src/privacy/personal';
import { redactedUrl } from '../../src/privacy/redactedUrl';
import { cpuMs } from '../support/cpuTime';
import { law } from '../support/laws';

const parameters = ['token', 'email', '=code'];

describe('redactedUrl', () => {
  it.each([
    ['https://site.example/a', 'https://site.example/a'],
    ['https://site.example/a/?b=1&c', 'https://site.example/a/?b=1&c'],
    ['https://site.example/a#access_token=s', 'https://site.example/a'],
    ['https://site.example/#/a?token=s&b=1', 'https://site.example/#/a?token=*&b=1'],
    ['https://site.example/?token=s#!/a/b', 'https://site.example/?token=*#!/a/b'],
    ['https://site.example/#/a#token=s', 'https://site.example/#/a'],
    ['https://site.example/#/u/reader@site.example/b', 'https://site.example/#/u/*/b'],
    ['https://site.example/#/', 'https://site.example/'],
    ['https://site.example/#!', 'https://site.example/'],
    ['https://site.example/a#b/c', 'https://site.example/a'],
    ['https://site.example/a;token=s;b=1/c;user_email=s?d=2', 'https://site.example/a;token=*;b=1/c;user_email=*?d=2'],
    [
      'https://site.example/a?countryCode=GB&email_campaign=may&code=s',
      'https://site.example/a?countryCode=GB&email_campaign=may&code=*',
    ],
    ['https://site.example/u/reader@site.example/x', 'https://site.example/u/*/x'],
    ['https://site.example/u/reader%40site.example', 'https://site.example/u/*'],
    ['https://site.example/verify/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.s-_G?a=1', 'https://site.example/verify/*?a=1'],
    ['https://site.example/?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.s-_G', 'https://site.example/?t=*'],
    [`https://site.example/reset/${'a1'.repeat(20)}/x`, 'https://site.example/reset/*/x'],
    // Ids of articles.
    [`https://site.example/${'a1'.repeat(16)}`, `https://site.example/${'a1'.repeat(16)}`],
    [
      'https://site.example/0a1b2c3d-0a1b-4c3d-8e5f-0a1b2c3d4e5f/10-shares-that-rose-this-year-and-why-they-may-fall',
      'https://site.example/0a1b2c3d-0a1b-4c3d-8e5f-0a1b2c3d4e5f/10-shares-that-rose-this-year-and-why-they-may-fall',
    ],
    [`https://${'a1'.repeat(20)}.site.example/`, `https://${'a1'.repeat(20)}.site.example/`],
    ['https://cdn.example/vue@2.6.14/@reader', 'https://cdn.example/vue@2.6.14/@reader'],
    ['https://site.example/a?token=s', 'https://site.example/a?token=*'],
    ['https://site.example/a?b=1&reset_token=s&c=2#d', 'https://site.example/a?b=1&reset_token=*&c=2'],
    ['https://site.example/a?resetToken=s=t?u;b=1', 'https://site.example/a?resetToken=*;b=1'],
    ['https://site.example/a?%74oken=s', 'https://site.example/a?%74oken=*'],
    ['https://site.example/a?user%5Bemail%5D=s', 'https://site.example/a?user%5Bemail%5D=*'],
    ['https://site.example/a?%=1&TOKEN=', 'https://site.example/a?%=1&TOKEN=*'],
    ['https://reader:s@site.example/a@b', 'https://site.example/a@b'],
    ['https://site.example?b=c@d', 'https://site.example?b=c@d'],
    ['/a?token=s', '/a?token=*'],
    ['/a?b=1?token=s', '/a?b=1?token=*'],
    ['/a?next=/reset?token=s', '/a?next=/reset?token=*'],
    ['/a?next=%2Freset%3Ftoken%3Ds%26c%3D1&d=2', '/a?next=%2Freset%3Ftoken%3D*&d=2'],
    ['/a?next=%252Freset%253Fb%253D1%2526token%253Ds', '/a?next=%252Freset%253Fb%253D1%2526token%253D*'],
    ['/a?next=%2F%23token%3Ds', '/a?next=%2F%23token%3D*'],
    ['/a?q=who%3F&r=b%3D1', '/a?q=who%3F&r=b%3D1'],
    ['/a?u=reader@site.example&b=1', '/a?u=*&b=1'],
    ['/a?u=reader%40site.example', '/a?u=*'],
    ['/a?u=reader%2540site.example', '/a?u=*'],
    ['/a?reader@site.example', '/a?*'],
    ['', ''],
  ])('%s', (url, expected) => {
    expect(redactedUrl(url, parameters)).toBe(expected);
  });

  it(
    'tells no secret, wherever it stands among parameters, and leaves the others alone',
    law(
      fc.tuple(
        fc.array(fc.tuple(fc.constantFrom('a', 'token', 'userEmail', 'b', 'code', 'codes', 'x_code'), fc.nat(99))),
        fc.string().filter((fragment) => !/^!?\//.test(fragment)),
      ),
      ([given, fragment]) => {
        const query = given.map(([name, value]) => `${name}=${value}`).join('&');
        const kept = given.map(
          ([name, value]) => `${name}=${['a', 'b', 'codes', 'x_code'].includes(name) ? value : '*'}`,
        );
        expect(redactedUrl(`https://site.example/?${query}#${fragment}`, parameters)).toBe(
          `https://site.example/?${kept.join('&')}`,
        );
      },
    ),
  );

  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const secret = fc.stringMatching(/^[a-zA-Z]{6,12}[0-9]{4}$/);
  const parts = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kept: word }) },
    fc.record({
      kept: fc.tuple(fc.constantFrom('page', 'countryCode', 'email_campaign'), word).map((pair) => pair.join('=')),
    }),
    fc
      .tuple(
        fc.constantFrom(
          'jsessionid',
          'ssn',
          'IBAN',
          'creditcard',
          'first_name',
          'session',
          'auth',
          'SAMLResponse',
          'userEmail',
          'reset_token',
          'code',
        ),
        secret,
      )
      .map(([name, hidden]) => ({ name: `${name}=`, hidden })),
    fc
      .tuple(secret, fc.constantFrom('@', '%40', '%2540'), word)
      .map(([user, at, host]) => ({ name: '', hidden: `${user}${at}${host}.example` })),
    secret.map((text) => ({ name: '', hidden: `eyJ${text}.eyJ${text}.${text}` })),
  );
  type Part = { readonly kept: string } | { readonly name: string; readonly hidden: string };
  const written = (part: Part): string => ('kept' in part ? part.kept : part.name + part.hidden);
  const told = (part: Part): string => ('kept' in part ? part.kept : `${part.name}*`);
  const address = fc.tuple(fc.array(parts, { maxLength: 4 }), fc.array(parts, { maxLength: 4 }), fc.boolean());
  const inAddress = (
    [path, query, isRoute]: readonly [readonly Part[], readonly Part[], boolean],
    text: (part: Part) => string,
  ): string =>
    `https://www.site.example${isRoute ? '/app#!' : ''}${path.map((part) => `/a;${text(part)}`).join('')}/b?${query.map(text).join('&')}`;

  it(
    'lets no personal value of an address survive, and all that is harmless',
    law(address, (given) => {
      expect(redactedUrl(inAddress(given, written), secretNames)).toBe(inAddress(given, told));
    }),
  );

  it(
    'changes nothing of an address that it has redacted',
    law(
      fc.oneof(
        address.map((given) => inAddress(given, written)),
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        fc.string(),
      ),
      (url) => {
        const once = redactedUrl(url, secretNames);
        expect(redactedUrl(once, secretNames)).toBe(once);
      },
    ),
  );

  it('takes a moment for a megabyte', () => {
    for (const part of [
      'a',
      '1',
      '@',
      '&',
      '=',
      '?',
      'a=',
      '&token',
      '://',
      '%',
      '%25',
      'b%3D',
      'a@b',
      '/',
      ';',
      'eyJ',
      'aA',
    ])
      for (const start of ['/?', '/', '/#/'])
        expect(
          cpuMs(() => redactedUrl(`https://site.example${start}${part.repeat(1_000_000 / part.length)}`, parameters)),
        ).toBeLessThan(1000);
  });
});

describe('webAddress', () => {
  it.each([
    ['HTTPS://Site.example', 'https://site.example/'],
    ['/a', 'https://base.example/a'],
    ['mailto:a@b.example', undefined],
    ['https://', undefined],
  ])('%s', (address, expected) => {
    expect(webAddress(address, 'https://base.example/')).toBe(expected);
  });
});
