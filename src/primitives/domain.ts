import { fold } from './lists';

// Labels under which registries of countries sell names, so that the registrable domain has three labels.
const commonSecondLevels = [
  'ac',
  'co',
  'com',
  'edu',
  'gob',
  'gov',
  'gouv',
  'go',
  'mil',
  'ne',
  'net',
  'nom',
  'or',
  'org',
  'sch',
];
const ipV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * The domain a cookie can be shared on: two labels, three when the second-level label is a common one such as
 * com, co or org; IP addresses and localhost stand for themselves (spec C§2).
 */
export const registrableDomain = (host: string): string => {
  if (ipV4.test(host) || host.startsWith('[')) return host;
  const labels = host.split('.').filter((label) => label !== '');
  const [top = '', second = ''] = [labels.at(-1), labels.at(-2)];
  // Only country codes (two letters) sell names below these labels: `abc.go.com` belongs to `go.com`.
  const length = top.length === 2 && commonSecondLevels.includes(second) ? 3 : 2;
  return labels.slice(-length).join('.');
};

/**
 * The domains on which a page of this host may have cookies, as far as its name says: the registrable domain first,
 * then those below it, down to the host. Browsers refuse the first where a registry sells names below it, such as
 * `jor.br`.
 */
export const cookieDomains = (host: string): readonly string[] => {
  const widest = registrableDomain(host);
  const labels = host
    .slice(0, -widest.length - 1)
    .split('.')
    .filter(Boolean);
  return fold(labels.reverse(), [widest], (domains, label) => [...domains, `${label}.${domains.at(-1) ?? ''}`]);
};

/** The name under which a site says what it knows of visitors and content: its host without `www`. */
export const siteName = (host: string): string => host.replace(/^www\./, '');
