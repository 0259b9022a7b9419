import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';

import { clientContext, type PageFacts, sdkVersion, withoutTrailingSlashes } from '../../src/model/clientContext';
import { law } from '../support/laws';

const page: PageFacts = {
  url: () => 'https://www.site.co.uk/markets/',
  host: () => 'www.site.co.uk',
  title: () => 'Markets',
  referrer: () => 'https://search.example/',
  userAgent: () => 'Mozilla/5.0',
};

describe('withoutTrailingSlashes', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['////', ''],
    ['https://site.example', 'https://site.example'],
    ['https://site.example/', 'https://site.example'],
    ['https://site.example//', 'https://site.example'],
    ['https://site.example/a/b/', 'https://site.example/a/b'],
    ['https://site.example/a/?b=1', 'https://site.example/a/?b=1'],
  ])('%s', (url, expected) => {
    expect(withoutTrailingSlashes(url)).toBe(expected);
  });

  it(
    'takes slashes and nothing else',
    law(fc.tuple(fc.string(), fc.nat(50)), ([text, slashes]) => {
      const kept = withoutTrailingSlashes(text + '/'.repeat(slashes));
      expect(kept.endsWith('/')).toBe(false);
      expect(text.startsWith(kept)).toBe(true);
      expect(/^\/*$/.test(text.slice(kept.length))).toBe(true);
    }),
  );
});

describe('clientContext', () => {
  it('is at most 2 kB for each text of a crafted link or title', () => {
    const long = `https://reader:${'p'.repeat(3000)}@site.example/?token=secret&q=${'😀'.repeat(500_000)}`;
    const crafted = { ...page, url: () => long, title: () => `x${long}`, referrer: () => long };
    for (const context of [
      clientContext(crafted, 'web', {}, ['token']),
      clientContext(page, 'web', { url: long, title: long, referrer: long }, []),
    ])
      for (const text of Object.values(context) as string[]) {
        expect(text.length).toBeLessThanOrEqual(2048);
        expect(Buffer.from(text).toString()).toBe(text);
      }
    expect(clientContext(crafted, 'web', {}, ['token']).url).toMatch(/^https:\/\/site\.example\/\?token=\*&q=😀+$/u);
  });

  it('says where we are', () => {
    expect(clientContext(page, 'web', {}, [])).toEqual({
      type: 'web',
      user_agent: `Mozilla/5.0 PermutiveWebSDK/${sdkVersion}`,
      domain: 'site.co.uk',
      title: 'Markets',
      url: 'https://www.site.co.uk/markets',
      referrer: 'https://search.example',
    });
  });

  it('lets the publisher say otherwise of url, title and referrer', () => {
    const given = { url: 'https://www.site.co.uk/article/', title: '', referrer: 'https://www.site.co.uk/' };
    expect(clientContext(page, 'web', given, [])).toMatchObject({
      url: 'https://www.site.co.uk/article',
      title: '',
      referrer: 'https://www.site.co.uk',
    });
  });

  it('tells no token of an address, whoever gave the address', () => {
    const secret = 'https://reader:secret@site.example/a?reset_token=secret&b=1#access_token=secret';
    const told = 'https://site.example/a?reset_token=*&b=1';
    const own = { ...page, url: () => secret, referrer: () => secret };
    const given = { url: secret, referrer: secret };
    for (const context of [clientContext(own, 'web', {}, ['token']), clientContext(page, 'web', given, ['token'])])
      expect(context).toMatchObject({ url: told, referrer: told });
  });

  it.each([
    ['Thank you, reader@site.example! | The Ledger Post', 'Thank you, * | The Ledger Post'],
    ['Reset for reader%40site.example', 'Reset for *'],
    ['Bob <bob@münchen.example>', 'Bob *'],
    ['Gilts @ 4.5 % and @reader', 'Gilts @ 4.5 % and @reader'],
  ])('tells no email address of a title: %s', (title, told) => {
    expect(clientContext({ ...page, title: () => title }, 'web', {}, []).title).toBe(told);
    expect(clientContext(page, 'web', { title }, []).title).toBe(told);
  });

  it('has the route of a fragment', () => {
    expect(clientContext({ ...page, url: () => 'https://site.example/#/markets/a/' }, 'web', {}, []).url).toBe(
      'https://site.example/#/markets/a',
    );
  });

  it('has the domain of the page whatever the publisher says', () => {
    expect(
      clientContext(page, 'amp', { url: 'https://other.example', domain: 'other.example', type: 'x' }, []),
    ).toMatchObject({ domain: 'site.co.uk', type: 'amp' });
  });
});

it('has the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(sdkVersion).toBe(`v${version}`);
});
