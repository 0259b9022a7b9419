/**
 * @jest-environment jsdom
 * @jest-environment-options { "url": "https://news.example.co.uk/page" }
 */
jest.mock(
  '@project/settings',
  () => ({
    cookieName: 'permutive-id',
    stateNamespace: 'permutive-app',
    storageKeys: ['chosen'],
    workspaceId: 'w',
  }),
  { virtual: true },
);

import { stayOut } from '../../src/natives/stayOut';

type Call = { readonly functionName: string; readonly arguments: readonly unknown[] };

const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
const deleteDatabase = jest.fn();

const stored = ['permutive-id', 'permutive-id-since', '_pdfps', '_psegs', 'chosen', 'named'];
const refusal: Call = { functionName: 'consent', arguments: [{ opt_in: false }] };
const consent: Call = { functionName: 'consent', arguments: [{ opt_in: true, token: 't' }] };

/** A tag with these calls in its queue, on a page where the SDK stays out. */
const stayedOut = (...q: (Call | null)[]) => {
  const tag = { q, config: { stateNamespace: 'named' }, consent: jest.fn() as (answer?: unknown) => unknown };
  stayOut('Array.prototype.map', tag, window);
  return tag;
};

const left = () => ({
  local: Object.keys(localStorage).sort(),
  session: Object.keys(sessionStorage),
  cookies: document.cookie.split('; ').map((cookie) => cookie.split('=')[0]),
});

const untouched = {
  local: [...stored, 'own'].sort(),
  session: ['__permutiveConfigQueryParams', 'own'],
  cookies: ['_pdfps', 'own', 'permutive-id'],
};
const erased = { local: ['own', 'permutive-consent'], session: ['own'], cookies: ['own', 'permutive-consent'] };

describe('A page whose natives do not work', () => {
  beforeEach(() => {
    warn.mockClear();
    deleteDatabase.mockClear();
    Object.assign(window, { indexedDB: { deleteDatabase } });
    localStorage.clear();
    sessionStorage.clear();
    for (const name of ['permutive-consent', 'permutive-id', '_pdfps', 'own'])
      for (const domain of ['', 'domain=example.co.uk; '])
        document.cookie = `${name}=; max-age=0; ${domain}path=/; SameSite=none; secure`;
    for (const key of [...stored, 'own']) localStorage.setItem(key, '1');
    for (const key of untouched.session) sessionStorage.setItem(key, '1');
    document.cookie = 'permutive-id=1; domain=example.co.uk; path=/; SameSite=none; secure';
    document.cookie = '_pdfps=1; path=/; SameSite=none; secure';
    document.cookie = 'own=1; path=/; SameSite=none; secure';
  });

  const sorted = (found: ReturnType<typeof left>) => ({ ...found, cookies: found.cookies.sort() });

  test('is told so in one line', () => {
    const tag = stayedOut();
    expect(warn.mock.calls).toEqual([
      ['Permutive was not initialized. The page has replaced Array.prototype.map by what does not work'],
    ]);
    expect(tag).toHaveProperty('version');
  });

  test.each([
    ['nothing is said', []],
    ['consent is given', [consent]],
    ['consent is given after a refusal', [refusal, consent]],
    ['other calls are queued', [{ functionName: 'track', arguments: ['A'] }, null]],
  ])('keeps what is stored where %s', (_, queued) => {
    stayedOut(...queued);
    expect(sorted(left())).toEqual(untouched);
    expect(deleteDatabase).not.toHaveBeenCalled();
  });

  test.each([
    ['is in the queue', () => stayedOut(consent, refusal)],
    ['is called', () => stayedOut().consent({ opt_in: false })],
    ['cannot be read', () => stayedOut().consent()],
    ['comes by a kept stub', () => stayedOut().q.push({ functionName: 'track', arguments: [] }, refusal)],
  ])('erases it where a refusal %s, and keeps the refusal', (_, refuse) => {
    refuse();
    expect(sorted(left())).toEqual(erased);
    expect(localStorage.getItem('permutive-consent')).toBe('{"opt_in":false}');
    expect(document.cookie).toContain('permutive-consent=%7B%22opt_in%22%3Afalse%7D');
    expect(deleteDatabase.mock.calls).toEqual([['permutive-store'], ['permutive-journal']]);
  });

  test('without a tag is told so', () => {
    stayOut('Array.from', undefined, window);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('keeps no calls that come later', () => {
    const tag = stayedOut();
    expect(tag.q.push(consent)).toBe(0);
    expect(tag.q).toHaveLength(0);
  });
});
