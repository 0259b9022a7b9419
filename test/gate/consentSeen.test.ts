import fc from 'fast-check';

import { type ConsentSeen, consentSeen } from '../../src/gate/consentSeen';
import { anySaid, placesOf, type Said, stateOf } from '../support/saidConsent';

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
      'an older tag has queued its arguments as they are',
      { queue: [{ functionName: 'consent', arguments: { 0: { opt_in: true }, length: 1 } }] },
    ],
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
