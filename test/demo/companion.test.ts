import { runInNewContext } from 'node:vm';

import { adServerCompanion } from '../../demo/page/tag';
import { visitorId } from '../support/events';

const other = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';

/** What the demo's companion tells the ad server on a page with this local storage and these cookies. */
const toldOf = (stored: Readonly<Record<string, string>>, cookie: string): ReadonlyMap<string, unknown> => {
  const told = new Map<string, unknown>();
  const pubads = { setTargeting: (key: string, value: unknown) => told.set(key, value) };
  const cmd = { push: (act: () => void) => act() };
  const window = {
    googletag: { cmd, pubads: () => pubads },
    localStorage: { getItem: (key: string) => stored[key] ?? null },
  };
  runInNewContext(adServerCompanion, { window, document: { cookie } });
  return told;
};

describe('The companion of the demo', () => {
  const stored = { 'permutive-id': visitorId, _pdfps: '[7,8]' };

  it.each([
    ['of the same user', stored, `a=b; permutive-id=${visitorId}`, ['7', '8'], visitorId],
    ['where there is no cookie', stored, 'a=b', ['7', '8'], visitorId],
    ['where the cookie is no id', stored, 'permutive-id=nobody', ['7', '8'], visitorId],
    ['not where the cookie is of another user', stored, `permutive-id=${other}; a=b`, [], other],
    ['not where no id says whose they are', { _pdfps: '[7,8]' }, '', [], undefined],
  ])('tells the stored codes: %s', (_, local, cookie, codes, user) => {
    const told = toldOf(local, cookie);
    expect(told.get('permutive')).toEqual(codes);
    expect(told.get('puid')).toBe(user);
  });
});
