import type { AnswerPlaces } from '../../src/gate/consentSeen';
import { leavingVisitor } from '../../src/gate/leavingVisitor';
import { visitorId } from '../support/events';

const other = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
const given = { functionName: 'consent', arguments: [{ opt_in: true }] };
const refused = { functionName: 'consent', arguments: [{ opt_in: false }] };

interface Given {
  readonly config?: unknown;
  readonly q?: readonly unknown[];
  readonly consentRequired?: boolean;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly local?: Readonly<Record<string, string>>;
}
const placesOf = ({ config = {}, q = [], consentRequired = false, cookies = {}, local = {} }: Given): AnswerPlaces => ({
  tag: { config, q },
  consentRequired,
  cookie: (name) => cookies[name],
  local: () => ({ getItem: (name) => local[name] ?? null }),
});
const visitorOf = (places: Given) => leavingVisitor(placesOf(places), 'visitor');

describe('The visitor of a page that is left before the main part has come', () => {
  it.each<readonly [string, Given, string | false | undefined]>([
    ['that of the cookie', { cookies: { visitor: visitorId }, local: { 'permutive-id': other } }, visitorId],
    [
      'that of the cookie which the page names',
      { config: { cookieName: 'page' }, cookies: { visitor: other, page: visitorId } },
      visitorId,
    ],
    ['the stored one without a cookie', { local: { 'permutive-id': visitorId } }, visitorId],
    [
      'the stored one where the cookie has no UUID version 4',
      { cookies: { visitor: '3'.repeat(36) }, local: { 'permutive-id': visitorId } },
      visitorId,
    ],
    ['undefined where there is none', {}, undefined],
    ['undefined where both are no ids', { cookies: { visitor: '' }, local: { 'permutive-id': '7' } }, undefined],
    [
      'known with an answer of the page',
      { q: [given], consentRequired: true, cookies: { visitor: visitorId } },
      visitorId,
    ],
    ['false where nobody was asked', { consentRequired: true, cookies: { visitor: visitorId } }, false],
    ['false after a refusal', { q: [given, refused], cookies: { visitor: visitorId } }, false],
    ['false after an answer that cannot be read', { local: { 'permutive-consent': '{' } }, false],
    ['false where the page requires consent', { config: { consentRequired: true } }, false],
    ['undefined where the page has no settings', { config: null }, undefined],
  ])('has an id: %s', (_, places, userId) => expect(visitorOf(places).userId).toBe(userId));

  it('is of the view that the tag has made', () => {
    expect(visitorOf({ config: { viewId: other } }).config.viewId).toBe(other);
    expect(visitorOf({ config: Object.create({ viewId: other }) }).config.viewId).toBeUndefined();
  });

  it('is nobody where storage is blocked', () => {
    const places = placesOf({ cookies: { visitor: visitorId } });
    const blocked = (): never => {
      throw new DOMException('no', 'SecurityError');
    };
    expect(() => leavingVisitor({ ...places, local: blocked }, 'visitor')).toThrow('no');
  });
});
