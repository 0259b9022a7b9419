import { uuid } from '../../../src/fakePlatform/countedIds';
import { type FakeFacts, fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { json } from '../../../src/hardening/plainJson';
import { eraseVisitor, establishUser, writeCookie } from '../../../src/streams/visitor/userId';
import { visitorId } from '../../support/events';
import { projectOf } from '../../support/project';
import { settingsOf } from '../../support/settings';

const otherId = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';

const world = (facts: FakeFacts = {}, config: Readonly<Record<string, unknown>> = {}) => {
  const platform = fakePlatform(facts);
  const report = jest.fn();
  const written: string[] = [];
  const cookies = {
    read: platform.cookies.read,
    write: (cookie: string) => {
      written.push(cookie);
      platform.cookies.write(cookie);
    },
  };
  return {
    platform,
    report,
    written,
    deps: { ...platform, json, cookies, setting: settingsOf(config), project: projectOf(), report },
  };
};

describe('establishUser', () => {
  it.each([
    ['the cookie', { cookies: { 'permutive-id': visitorId } }, visitorId],
    ['local storage', { local: { 'permutive-id': visitorId } }, visitorId],
    [
      'the cookie before local storage',
      { cookies: { 'permutive-id': visitorId }, local: { 'permutive-id': otherId } },
      visitorId,
    ],
    [
      'local storage where the cookie is none',
      { cookies: { 'permutive-id': 'x' }, local: { 'permutive-id': visitorId } },
      visitorId,
    ],
    [
      'local storage where the cookie is of another version',
      { cookies: { 'permutive-id': '5b2f7a3c-1d4e-1f60-9a8b-0c1d2e3f4a5b' }, local: { 'permutive-id': visitorId } },
      visitorId,
    ],
  ])('takes the id from %s', (_, facts, id) => {
    expect(establishUser(world(facts).deps)).toEqual({ id, isNewlyGenerated: false });
  });

  it.each([
    {},
    { cookies: { 'permutive-id': '' } },
    { cookies: { 'permutive-id': 'x' }, local: { 'permutive-id': `${visitorId} ` } },
  ])('makes a new one where there is none: %p', (facts) => {
    expect(establishUser(world(facts).deps)).toEqual({ id: uuid(1), isNewlyGenerated: true });
  });

  it('writes it to both, so that either may be lost', () => {
    const { deps, platform, written } = world({ local: { 'permutive-id': visitorId } });
    establishUser(deps);
    expect(written.slice(-1)).toEqual([
      `permutive-id=${visitorId}; expires=Wed, 01 Jul 2026 12:00:00 GMT; domain=site.example; path=/; SameSite=none; secure`,
    ]);
    expect(platform.local.read('permutive-id')).toBe(visitorId);
  });

  it.each([
    ['stay where the storage was nobody’s', {}, '[]'],
    ['go with what another user has there', { 'permutive-id': otherId }, null],
  ])('the calls of pages that were left early %s', (_, stored, left) => {
    const { deps, platform } = world({
      cookies: { 'permutive-id': visitorId },
      local: { ...stored, 'permutive-left-calls': '[]', _psegs: '[]' },
    });
    establishUser(deps);
    expect([platform.local.read('permutive-left-calls'), platform.local.read('_psegs')]).toEqual([left, null]);
  });

  it('knows the visitor again', () => {
    const { deps } = world();
    const { id } = establishUser(deps);
    expect(establishUser(deps)).toEqual({ id, isNewlyGenerated: false });
  });

  it('uses the cookie that the page names, for the domain and time that it names', () => {
    const { deps, written } = world(
      { cookies: { reader: visitorId } },
      { cookieName: 'reader', cookieDomain: 'www.site.example', cookieExpiry: '1 day' },
    );
    expect(establishUser(deps).id).toBe(visitorId);
    expect(written).toEqual([
      `reader=${visitorId}; expires=Fri, 02 Jan 2026 12:00:00 GMT; domain=www.site.example; path=/; SameSite=none; secure`,
    ]);
  });
});

describe('the domain of cookies', () => {
  /** What a browser keeps that refuses cookies on a public suffix, and all that was written. */
  const on = (host: string, refused: readonly string[], config: Readonly<Record<string, unknown>> = {}) => {
    const { deps, platform, written } = world({ page: { host: () => host } }, config);
    const kept = new Map<string, string>();
    const write = (cookie: string): void => {
      written.push(cookie);
      const [, name = '', domain = ''] = /^([^=]*)=.*; domain=([^;]*)/.exec(cookie) ?? [];
      if (refused.includes(domain)) return;
      platform.cookies.write(cookie);
      if (cookie.includes('expires=Thu, 01 Jan 1970')) kept.delete(`${name} ${domain}`);
      else kept.set(`${name} ${domain}`, cookie);
    };
    return { deps: { ...deps, cookies: { read: platform.cookies.read, write } }, kept, written };
  };

  it.each([
    ['www.site.example', [], 'site.example'],
    ['x.jor.br', ['jor.br'], 'x.jor.br'],
    ['www.x.jor.br', ['jor.br'], 'x.jor.br'],
    ['shop.ltd.uk', ['ltd.uk'], 'shop.ltd.uk'],
    ['shop.id.au', ['id.au'], 'shop.id.au'],
    ['a.shop.co.com', ['co.com'], 'shop.co.com'],
    ['a.b.github.io', ['github.io'], 'b.github.io'],
    // Where no cookie is kept at all, nothing says which domain is right.
    ['www.site.example', ['site.example', 'www.site.example'], 'site.example'],
    ['localhost', [], 'localhost'],
    ['127.0.0.1', [], '127.0.0.1'],
  ])('of %s, where none is kept on %p, is %s, the widest that the browser takes', (host, refused, domain) => {
    const { deps, kept, written } = on(host, refused);
    establishUser(deps);
    expect(written.at(-1)).toContain(`permutive-id=${uuid(1)}`);
    expect(written.at(-1)).toContain(`domain=${domain};`);
    const names = refused.includes(domain) ? [] : ['permutive-id'];
    expect([...kept.keys()]).toEqual(names.map((name) => `${name} ${domain}`));
  });

  it('is asked for once on a page', () => {
    const { deps, written } = on('www.x.jor.br', ['jor.br']);
    establishUser(deps);
    const count = written.length;
    writeCookie('_pdfps', '[]', { ...deps });
    expect(written.slice(count)).toEqual([expect.stringMatching(/^_pdfps=.*domain=x\.jor\.br;/)]);
  });

  it('is not asked for where the page names it, or there is only one', () => {
    for (const { deps, written } of [on('www.x.jor.br', [], { cookieDomain: 'x.jor.br' }), on('site.example', [])]) {
      establishUser(deps);
      expect(written).toHaveLength(1);
    }
  });

  it('is not asked for when the visitor refuses, and each domain is erased', () => {
    const { deps, kept, written } = on('www.x.jor.br', ['jor.br']);
    establishUser(deps);
    const count = written.length;
    eraseVisitor(deps);
    expect(kept.size).toBe(0);
    expect(written.slice(count).every((cookie) => cookie.includes('expires=Thu, 01 Jan 1970'))).toBe(true);
    expect(written.slice(count).some((cookie) => cookie.startsWith('permutive-probe'))).toBe(false);
  });
});

describe('writeCookie', () => {
  it('reports a cookie that is too large, and writes nothing', () => {
    const { deps, report, written } = world();
    writeCookie('_pdfps', json.stringify(Array.from({ length: 1000 }, (_, i) => `code${i}`)), deps);
    expect(report.mock.calls).toEqual([['Cookie exceeds maximum supported size of 4096 bytes for most browsers']]);
    expect(written.filter((cookie) => cookie.startsWith('_pdfps'))).toEqual([]);
  });
});

describe('eraseVisitor', () => {
  const ours = [
    'permutive-id',
    'permutive-session',
    'permutive-app',
    'permutive-data-queries',
    'permutive-events-cache',
    'permutive-prebid-rtd',
    'permutive-prebid-id',
    'permutive-data-misc',
    'permutive-left-calls',
    '_psegs',
    '_pdfps',
    '_papns',
    '_prubicons',
    '_pssps',
    '_ppam',
  ];
  const everything = Object.fromEntries(
    [...ours, 'permutive-consent', 'theirs', '_pother', 'not-permutive-id'].map((key) => [key, 'x']),
  );

  it('takes all that is ours, and leaves the answer about consent and what is others’', () => {
    const { deps, platform } = world({
      local: everything,
      session: { __permutiveConfigQueryParams: '{}', __permutiveWorkerRefused: '1', theirs: 'x' },
      cookies: { 'permutive-id': visitorId, _pdfps: '[]', _papns: '[]', theirs: 'x' },
    });
    eraseVisitor(deps);
    expect(platform.local.keys()).toEqual(['permutive-consent', 'theirs', '_pother', 'not-permutive-id']);
    expect(platform.session.keys()).toEqual(['theirs']);
    expect([...platform.jar.keys()]).toEqual(['theirs']);
  });

  it('takes the state where the page keeps it under another name', () => {
    const { deps, platform } = world({ local: { 'site-app': '{}', theirs: 'x' } }, { stateNamespace: 'site-app' });
    eraseVisitor(deps);
    expect(platform.local.keys()).toEqual(['theirs']);
  });

  it('takes the keys that the project’s activations write, but never the answer about consent', () => {
    const { deps, platform } = world({ local: { audience: '[7]', theirs: 'x', 'permutive-consent': '{}' } });
    eraseVisitor({ ...deps, project: { storageKeys: ['audience', 'permutive-consent'] } });
    expect(platform.local.keys()).toEqual(['theirs', 'permutive-consent']);
  });

  it('takes the cookie that the page names', () => {
    const { deps, platform } = world({ cookies: { reader: visitorId } }, { cookieName: 'reader' });
    eraseVisitor(deps);
    expect(platform.jar.size).toBe(0);
  });

  it('takes the cookies of each domain that `cookieDomain` may have been, and those of the host alone', () => {
    const { deps, written } = world({ page: { host: () => 'a.www.site.example' } });
    eraseVisitor(deps);
    const domains = ['', 'domain=a.www.site.example; ', 'domain=www.site.example; ', 'domain=site.example; '];
    for (const name of ['permutive-id', '_pdfps', '_papns'])
      expect(written).toEqual(
        expect.arrayContaining(
          domains.map(
            (domain) => `${name}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; ${domain}path=/; SameSite=none; secure`,
          ),
        ),
      );
  });

  it('has nothing to take a second time', () => {
    const { deps, platform } = world({ local: everything });
    eraseVisitor(deps);
    const left = platform.local.keys();
    eraseVisitor(deps);
    expect(platform.local.keys()).toEqual(left);
  });
});
