import fc from 'fast-check';
import { NEVER } from 'rxjs';

import { queuedConsent } from '../../src/api/tag';
import { fakePlatform } from '../../src/fakePlatform/fakePlatform';
import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { type AnswerPlaces, type ConsentSeen, consentSeen } from '../../src/gate/consentSeen';
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
  cookie: (name) => (name === key ? said.cookie : undefined),
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

const record = fc.oneof(
  fc.constantFrom<unknown>(
    { opt_in: true },
    { opt_in: true, token: 't' },
    { opt_in: true, token: '' },
    { opt_in: true, token: null },
    { opt_in: true, token: undefined },
    { opt_in: 'yes', token: 't' },
    { opt_in: false },
    Object.create({ opt_in: true, token: 't' }),
  ),
  fc.anything(),
);
const call = fc.oneof(
  fc.record({ functionName: fc.constantFrom('consent', 'track', 'addon'), arguments: fc.array(record) }),
  fc.record({ functionName: fc.constant('consent'), arguments: fc.constant({ 0: { opt_in: true } }) }),
  fc.record({ functionName: fc.constantFrom('consent', 'track') }),
  fc.anything(),
);
const answer = fc.oneof(
  fc.constantFrom('{"opt_in":true,"token":"t"}', '{"opt_in":false}', '{"opt_in":true,"token":""}', '', 'no JSON'),
  record.map((given) => JSON.stringify([given]).slice(1, -1)),
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

describe('What the gate sees of consent', () => {
  it('is that the visitor was not asked exactly where the main part finds so, and consent only where it does', () => {
    fc.assert(
      fc.property(anySaid, (said) => {
        const [seen, state] = [consentSeen(placesOf(said)), stateOf(said)];
        expect(seen === 'unasked').toBe(state === 'unasked');
        if (seen === 'given') expect(state).toBe('given');
      }),
      { examples: [[unasked]] },
    );
  });

  const called = (...args: readonly unknown[]) => ({ queue: [{ functionName: 'consent', arguments: args }] });
  it.each<[ConsentSeen, string, Partial<Said>]>([
    ['unasked', 'consent is required by the page', {}],
    ['unasked', 'consent is required by the project', { setting: undefined, byProject: true }],
    ['unasked', 'the setting is no boolean', { setting: 'no' }],
    ['unasked', 'the page has other calls', { queue: [null, { functionName: 'track', arguments: ['A'] }] }],
    ['unasked', 'the page has no queue', { queue: undefined }],
    ['given', 'consent is not required', { setting: undefined }],
    ['given', 'the page does not require what the project does', { setting: false, byProject: true }],
    ['given', 'the page has told of consent', called({ opt_in: true, token: 't' })],
    ['given', 'the page has told of consent without a token', called({ opt_in: true })],
    [
      'given',
      'the last answer of the page is consent',
      { queue: [...called().queue, ...called({ opt_in: true }).queue] },
    ],
    ['given', 'an earlier page has consent', { stored: '{"opt_in":true,"token":"t"}' }],
    ['given', 'the page tells of consent after a refusal', { ...called({ opt_in: true }), cookie: '{"opt_in":false}' }],
    ['unclear', 'the page has told of a refusal', called({ opt_in: false })],
    [
      'unclear',
      'the last answer of the page is a refusal',
      { queue: [...called({ opt_in: true }).queue, ...called().queue] },
    ],
    ['unclear', 'the page has answered with nothing', { queue: [{ functionName: 'consent' }] }],
    ['unclear', 'the page has told of an empty token', called({ opt_in: true, token: '' })],
    ['unclear', 'another host has a refusal', { cookie: '{"opt_in":false}', stored: '{"opt_in":true,"token":"t"}' }],
    ['unclear', 'an earlier page has a refusal', { setting: false, stored: '{"opt_in":false}' }],
    ['unclear', 'an earlier page has consent without a token', { stored: '{"opt_in":true}' }],
    ['unclear', 'an earlier page has an answer that nobody can read', { stored: '' }],
  ])('is %s where %s', (seen, _, said) => {
    expect(consentSeen(placesOf({ ...unasked, ...said }))).toBe(seen);
    expect({ unasked: ['unasked'], given: ['given'], unclear: ['refused'] }[seen]).toContain(
      stateOf({ ...unasked, ...said }),
    );
  });

  it.each<[ConsentSeen, boolean]>([
    ['unasked', true],
    ['given', false],
  ])('is %s where the page has no local storage, and consent is required: %s', (seen, setting) => {
    const local = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    expect(consentSeen({ ...placesOf({ ...unasked, setting }), local })).toBe(seen);
  });

  it('is unclear where the page’s objects cannot be read', () => {
    const broken = {
      get functionName(): string {
        throw new Error('no');
      },
    };
    expect(consentSeen(placesOf({ ...unasked, queue: [broken] }))).toBe('unclear');
  });
});
