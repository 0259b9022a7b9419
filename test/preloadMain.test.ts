/** @jest-environment jsdom */
jest.mock(
  '@project/settings',
  () => ({ windowKey: 'permutive', cookieName: 'permutive-id', consentRequired: false, respectGpc: true }),
  { virtual: true },
);

import { preloadMain } from '../src/companion/preloadMain';

const answer = (opt_in: boolean, token?: string): string => JSON.stringify({ opt_in, token });

interface Given {
  readonly stored?: string;
  readonly cookie?: string;
  readonly q?: readonly unknown[];
  readonly config?: Readonly<Record<string, unknown>>;
}

/** The relation of the link on a page that has this. */
const relOn = ({ stored, cookie, q = [], config = {} }: Given): string => {
  if (stored !== undefined) localStorage.setItem('permutive-consent', stored);
  if (cookie !== undefined) document.cookie = `permutive-consent=${cookie}`;
  Object.assign(window, { permutive: { q, config } });
  document.head.innerHTML = '<link rel="permutive-main" href="https://cdn/main.js"><link rel="icon" href="data:,">';
  preloadMain();
  const [link, other] = document.head.querySelectorAll('link');
  expect(other?.rel).toBe('icon');
  return link?.rel ?? '';
};
const called = (given: unknown) => [{ functionName: 'consent', arguments: [given] }];
const required = { consentRequired: true };

afterEach(() => {
  localStorage.clear();
  document.cookie = 'permutive-consent=; expires=Thu, 01 Jan 1970 00:00:00 GMT';
});

describe('preloadMain', () => {
  it.each<[string, Given]>([
    ['consent is not required', {}],
    ['consent is stored', { stored: answer(true, 't'), config: required }],
    ['the page has queued consent', { q: called({ opt_in: true }), config: required }],
    ['the page has queued consent after a refusal', { stored: answer(false), q: called({ opt_in: true }) }],
  ])('makes the link a preload where %s', (_, given) => {
    expect(relOn(given)).toBe('preload');
    expect(document.querySelector('link')).toMatchObject({ as: 'script', fetchPriority: 'low' });
  });

  it.each<[string, Given]>([
    ['consent is required, and the visitor was not asked', { config: required }],
    ['the visitor has refused', { stored: answer(false) }],
    ['the visitor has refused on another host', { stored: answer(true, 't'), cookie: answer(false) }],
    ['the page has queued a refusal', { stored: answer(true, 't'), q: called({ opt_in: false }) }],
    ['the stored consent has no token', { stored: answer(true) }],
    ['the stored answer cannot be read', { stored: '{' }],
  ])('leaves the link as it is where %s', (_, given) => {
    expect(relOn(given)).toBe('permutive-main');
  });

  it.each(['querySelectorAll', 'currentScript'])('throws nothing where an element of the page hides %s', (name) => {
    Object.defineProperty(document, name, { value: document.createElement('img'), configurable: true });
    try {
      expect(() => relOn({})).not.toThrow();
    } finally {
      Reflect.deleteProperty(document, name);
    }
  });
});
