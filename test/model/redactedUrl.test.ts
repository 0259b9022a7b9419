import * as fc from 'fast-check';

import { redactedUrl, webAddress } from '../../src/model/redactedUrl';
import { law } from '../support/laws';

const parameters = ['token', 'email', 'code'];

describe('redactedUrl', () => {
  it.each([
    ['https://site.example/a', 'https://site.example/a'],
    ['https://site.example/a/?b=1&c', 'https://site.example/a/?b=1&c'],
    ['https://site.example/a#access_token=s', 'https://site.example/a'],
    ['https://site.example/#/a?token=s', 'https://site.example/'],
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
        fc.array(fc.tuple(fc.constantFrom('a', 'token', 'userEmail', 'b', 'x_code', 'codes'), fc.nat(99))),
        fc.string(),
      ),
      ([given, fragment]) => {
        const query = given.map(([name, value]) => `${name}=${value}`).join('&');
        const kept = given.map(([name, value]) => `${name}=${['a', 'b', 'codes'].includes(name) ? value : '*'}`);
        expect(redactedUrl(`https://site.example/?${query}#${fragment}`, parameters)).toBe(
          `https://site.example/?${kept.join('&')}`,
        );
      },
    ),
  );

  it('takes a moment for a megabyte', () => {
    const start = performance.now();
    for (const part of ['a', '@', '&', '=', '?', 'a=', '&token', '://', '%', '%25', 'b%3D', 'a@b'])
      redactedUrl(`https://site.example/?${part.repeat(1_000_000 / part.length)}`, parameters);
    expect(performance.now() - start).toBeLessThan(3000);
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
