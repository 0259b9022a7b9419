import * as fc from 'fast-check';
import { getDomain } from 'tldts';

import { cookieDomains, registrableDomain } from '../../src/primitives/domain';
import { law } from '../support/laws';

const hosts = [
  'example.com',
  'www.example.com',
  'a.b.c.example.com',
  'news.site.org',
  'site.net',
  'www.site.info',
  'site.io',
  'm.site.fr',
  'site.de',
  'www.site.it',
  'site.co.uk',
  'www.site.co.uk',
  'a.b.site.org.uk',
  'www.site.ac.uk',
  'www.site.gov.uk',
  'news.com.au',
  'www.news.com.au',
  'site.net.au',
  'www.site.co.nz',
  'www.site.co.jp',
  'www.site.or.jp',
  'www.site.ne.jp',
  'www.site.ac.jp',
  'www.site.co.kr',
  'www.site.or.kr',
  'www.site.com.br',
  'www.site.org.br',
  'www.site.com.mx',
  'www.site.gob.mx',
  'www.site.com.tr',
  'www.site.co.in',
  'www.site.co.za',
  'www.site.com.cn',
  'www.site.edu.cn',
  'www.site.com.sg',
  'www.site.gouv.fr',
  'www.site.co.il',
  'abc.go.com',
  'www.abc.go.com',
  'www.com.com',
  'xn--bcher-kva.example.com',
  'www.xn--bcher-kva.de',
];

describe('registrableDomain', () => {
  it.each(hosts)('agrees with the public suffix list on %s', (host) => {
    expect(registrableDomain(host)).toBe(getDomain(host));
  });

  it.each([
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['192.168.10.200', '192.168.10.200'],
    ['[::1]', '[::1]'],
    ['[2001:db8::ff00:42:8329]', '[2001:db8::ff00:42:8329]'],
    ['intranet', 'intranet'],
    ['', ''],
    ['www.example.com.', 'example.com'],
    ['co.uk', 'co.uk'],
    ['1.2.3.4.example.com', 'example.com'],
  ])('%s is %s', (host, expected) => {
    expect(registrableDomain(host)).toBe(expected);
  });

  it.each([
    ['www.example.com', ['example.com', 'www.example.com']],
    ['a.x.jor.br.', ['jor.br', 'x.jor.br', 'a.x.jor.br']],
    ['www.site.co.uk', ['site.co.uk', 'www.site.co.uk']],
    ['example.com', ['example.com']],
    ['localhost', ['localhost']],
    ['127.0.0.1', ['127.0.0.1']],
    ['[::1]', ['[::1]']],
  ])('%s may have cookies on %p', (host, domains) => {
    expect(cookieDomains(host)).toEqual(domains);
  });

  const label = fc
    .stringMatching(/^[a-z][a-z0-9]{0,10}$/)
    .filter(
      (text) =>
        !['co', 'com', 'org', 'net', 'ac', 'go', 'or', 'ne', 'edu', 'gov', 'mil', 'nom', 'sch', 'gob', 'gouv'].includes(
          text,
        ),
    );
  const suffix = fc.constantFrom(
    'com',
    'org',
    'net',
    'de',
    'fr',
    'co.uk',
    'org.uk',
    'com.au',
    'co.jp',
    'com.br',
    'co.nz',
    'co.za',
  );

  it(
    'is the same for a site and all hosts below it',
    law(fc.tuple(label, suffix, fc.array(label, { maxLength: 3 })), ([name, end, above]) => {
      const site = `${name}.${end}`;
      expect(registrableDomain([...above, site].join('.'))).toBe(site);
    }),
  );

  it(
    'is its own registrable domain',
    law(fc.domain(), (host) => {
      const domain = registrableDomain(host);
      expect(registrableDomain(domain)).toBe(domain);
      expect(host.endsWith(domain)).toBe(true);
    }),
  );
});
