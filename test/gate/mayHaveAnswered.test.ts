import fc from 'fast-check';
import { NEVER } from 'rxjs';

import { queuedConsent } from '../../src/api/tag';
import { fakePlatform } from '../../src/fakePlatform/fakePlatform';
import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { type AnswerPlaces, mayHaveAnswered } from '../../src/gate/mayHaveAnswered';
import { json } from '../../src/hardening/plainJson';
import { settingsFrom } from '../../src/model/config';
import type { Consent } from '../../src/model/consent';
import { fromConsent } from '../../src/streams/visitor/fromConsent';

const key = 'permutive-consent';

/** What a page and its visitor have said of consent. */
interface Said {
  /** The page's setting; undefined where the page has none. */
  readonly setting: unknown;
  readonly byProject: boolean;
  readonly queue: unknown;
  readonly cookie: string | undefined;
  /** In local storage. */
  readonly stored: string | null;
}

const tagOf = ({ setting, queue }: Said): AnswerPlaces['tag'] => ({
  config: setting === undefined ? {} : { consentRequired: setting },
  q: queue,
});

const placesOf = (said: Said): AnswerPlaces => ({
  tag: tagOf(said),
  consentRequired: said.byProject,
  cookies: { read: (name) => (name === key ? said.cookie : undefined) },
  local: () => ({ getItem: (name) => (name === key ? said.stored : null) }),
});

/** The state that the main part begins with. */
const stateOf = (said: Said): Consent => {
  const tag = tagOf(said);
  const platform = fakePlatform(said.cookie === undefined ? {} : { cookies: { [key]: said.cookie } });
  const report = (): undefined => undefined;
  const consent = fromConsent(queuedConsent(tag), NEVER, {
    ...platform,
    local: memoryStorage(said.stored === null ? {} : { [key]: said.stored }),
    json,
    report,
    recheck$: NEVER,
    beforeRequest$: NEVER,
    setting: settingsFrom({
      page: () => tag['config'],
      overrides: {},
      project: { consentRequired: said.byProject },
      report,
    }),
  });
  return consent.current();
};

const call = fc.oneof(
  fc.record({ functionName: fc.constantFrom('consent', 'track', 'addon'), arguments: fc.array(fc.anything()) }),
  fc.record({ functionName: fc.constantFrom('consent', 'track') }),
  fc.anything(),
);
const answer = fc.oneof(
  fc.constantFrom('{"opt_in":true,"token":"t"}', '{"opt_in":false}', '{"opt_in":true,"token":""}', '', 'no JSON'),
  fc.string(),
);
const anySaid: fc.Arbitrary<Said> = fc.record({
  setting: fc.oneof(fc.constantFrom(undefined, true, false), fc.anything()),
  byProject: fc.boolean(),
  queue: fc.oneof(fc.constant([]), fc.array(call, { maxLength: 3 }), fc.anything()),
  cookie: fc.oneof(fc.constant(undefined), answer),
  stored: fc.oneof(fc.constant(null), answer),
});
const unasked: Said = { setting: true, byProject: false, queue: [], cookie: undefined, stored: null };

describe('The gate stays shut', () => {
  it('exactly where the main part would find that the visitor was not asked', () => {
    fc.assert(
      fc.property(anySaid, (said) => {
        expect(!mayHaveAnswered(placesOf(said))).toBe(stateOf(said) === 'unasked');
      }),
      { examples: [[unasked]] },
    );
  });

  it.each<[string, Partial<Said>, boolean]>([
    ['consent is required by the page', {}, false],
    ['consent is required by the project', { setting: undefined, byProject: true }, false],
    ['the setting is no boolean', { setting: 'no' }, false],
    ['the page has other calls', { queue: [null, { functionName: 'track', arguments: ['A'] }] }, false],
    ['the page has no queue', { queue: undefined }, false],
    ['consent is not required', { setting: undefined }, true],
    ['the page does not require what the project does', { setting: false, byProject: true }, true],
    ['the page has answered', { queue: [{ functionName: 'consent', arguments: [{ opt_in: false }] }] }, true],
    ['the page has answered with nothing', { queue: [{ functionName: 'consent' }] }, true],
    ['another host has a refusal', { cookie: '{"opt_in":false}' }, true],
    ['an earlier page has an answer', { stored: '{"opt_in":true,"token":"t"}' }, true],
    ['an earlier page has an answer that nobody can read', { stored: '' }, true],
  ])('or opens where %s', (_, said, isOpen) => {
    expect(mayHaveAnswered(placesOf({ ...unasked, ...said }))).toBe(isOpen);
  });

  it('where the page has no local storage', () => {
    const local = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    expect(mayHaveAnswered({ ...placesOf(unasked), local })).toBe(false);
  });

  it('and opens where the page’s objects cannot be read', () => {
    const broken = {
      get functionName(): string {
        throw new Error('no');
      },
    };
    expect(mayHaveAnswered(placesOf({ ...unasked, queue: [broken] }))).toBe(true);
  });
});
